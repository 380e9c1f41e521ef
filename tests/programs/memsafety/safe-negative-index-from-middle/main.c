#include <assert.h>

static const int wave[5] = { -2, -1, 0, 1, 2 };

int main(void)
{
	const int *centre = wave + 2;
	for (int i = -2; i <= 2; i++)
		assert(centre[i] == i);
	return 0;
}
