#include <assert.h>
#include <stdarg.h>

static long sum(const char *kinds, ...)
{
	va_list ap;
	long total = 0;
	va_start(ap, kinds);
	for (; *kinds; kinds++) {
		if (*kinds == 'i')
			total += va_arg(ap, int);
		else if (*kinds == 'l')
			total += va_arg(ap, long);
		else if (*kinds == 'd')
			total += (long)va_arg(ap, double);
		else
			total += *va_arg(ap, int *);
	}
	va_end(ap);
	return total;
}

int main(void)
{
	int v = 1000;
	assert(sum("") == 0);
	assert(sum("ilp", 1, 20L, &v) == 1021);
	assert(sum("idiiliiip", 1, 2.5, 3, 4, 5L, 6, 7, 8, &v) == 1036);
	return 0;
}
