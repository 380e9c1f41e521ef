static int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };

static int row_sum(int r)
{
	int sum = 0;
	for (int c = 0; c < 3; c++)
		sum += matrix[r][c];
	return sum;
}

int main(void)
{
	int total = 0;
	for (int r = 0; r < 3; r++)
		total += row_sum(r);
	return total;
}
