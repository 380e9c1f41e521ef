#include <assert.h>

int main(void)
{
	int a = 0, b = 1;
	for (int n = 2; n <= 46; n++) {
		int next = a + b;
		a = b;
		b = next;
	}
	assert(b == 1836311903);
	return 0;
}
