#include <assert.h>

static const int data[3] = { 4, 5, 6 };

int main(void)
{
	int rounds = 0;
	for (int i = -1; i < sizeof data / sizeof data[0]; i++)
		rounds++;
	assert(rounds == 4);
	return 0;
}
