#include <assert.h>

static int m[3][4] = { { 1 }, { 0, 2 }, { 0, 0, 3, 4 } };

static int trace(int rows, int (*a)[4])
{
	int t = 0;
	for (int i = 0; i < rows; i++)
		t += a[i][i];
	return t;
}

int main(void)
{
	int cube[2][2][2];
	assert(trace(3, m) == 6);
	assert(sizeof m == 48 && sizeof m[0] == 16);
	assert(*(*(m + 2) + 3) == 4);
	for (int i = 0; i < 8; i++)
		cube[i >> 2][i >> 1 & 1][i & 1] = i;
	assert(cube[1][0][1] == 5 && cube[0][1][1] == 3);
	return 0;
}
