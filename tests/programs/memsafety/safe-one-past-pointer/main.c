#include <assert.h>

static int data[5] = { 1, 2, 3, 4, 5 };

int main(void)
{
	int sum = 0;
	int *end = data + 5;
	for (int *p = data; p != end; p++)
		sum += *p;
	assert(sum == 15);
	assert(end - data == 5);
	return 0;
}
