struct point { int x, y; };

static struct point path[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
static struct point hull[5];

int main(void)
{
	int sum = 0;
	int n = sizeof hull / sizeof hull[0];
	for (int i = 0; i < n; i++)
		sum += path[i].y;
	return sum;
}
