#include <assert.h>

int main(void)
{
	int high = 1, low = 2;
	int word = high << 4 + low;
	assert(word == 64);
	assert(word == 18);
	return 0;
}
