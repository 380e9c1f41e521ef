#include <assert.h>
#include <limits.h>

int main(void)
{
	int up = INT_MAX - 3, down = INT_MIN + 3;
	for (int i = 0; i < 3; i++) {
		up++;
		down--;
	}
	assert(up == INT_MAX && down == INT_MIN);
	assert(up + down == -1);
	assert(-up == down + 1);
	return 0;
}
