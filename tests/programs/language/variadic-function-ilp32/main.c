#include <assert.h>
#include <stdarg.h>

static int largest(int n, ...)
{
	va_list ap, again;
	int max = -1, count = 0;
	va_start(ap, n);
	va_copy(again, ap);
	for (int i = 0; i < n; i++) {
		int v = va_arg(ap, int);
		if (v > max)
			max = v;
	}
	va_end(ap);
	for (int i = 0; i < n; i++)
		count += va_arg(again, int) == max;
	va_end(again);
	return max * 10 + count;
}

int main(void)
{
	assert(largest(3, 4, 9, 2) == 91);
	assert(largest(4, 5, 5, 1, 5) == 53);
	assert(largest(0) == -10);
	return 0;
}
