#include <assert.h>

static int triangle(int n)
{
	int row[n];
	int sum = 0;
	for (int i = 0; i < n; i++)
		row[i] = i + 1;
	for (int i = n - 1; i >= 0; i--)
		sum += row[i];
	return sum;
}

int main(void)
{
	assert(triangle(1) == 1);
	assert(triangle(6) == 21);
	return 0;
}
