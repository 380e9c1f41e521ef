static int a = 1, c = 3;
static int *item[3] = { &a, 0, &c };

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i += 2)
		sum += *item[i];
	for (int i = 0; i < 3; i++)
		sum += *item[i];
	return sum;
}
