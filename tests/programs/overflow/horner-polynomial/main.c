static const int coefficient[5] = { 3, -2, 7, 0, 11 };

static int evaluate(int x)
{
	int y = 0;
	for (int i = 0; i < 5; i++)
		y = y * x + coefficient[i];
	return y;
}

int main(void)
{
	return evaluate(10) == evaluate(-200);
}
