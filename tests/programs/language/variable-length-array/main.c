#include <assert.h>

static int corner(int n, int m, int a[n][m])
{
	return a[n - 1][m - 1];
}

static unsigned int bytes(int n)
{
	short v[n];
	v[n - 1] = 1;
	return sizeof v;
}

int main(void)
{
	int rows = 3, cols = 2;
	int grid[rows][cols];
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			grid[i][j] = 10 * i + j;
	assert(corner(rows, cols, grid) == 21);
	assert(sizeof grid == 6 * sizeof(int));
	assert(bytes(5) == 10 && bytes(9) == 18);
	return 0;
}
