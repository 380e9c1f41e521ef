#include <limits.h>

int main(void)
{
	long position = LONG_MAX;
	unsigned int step = 1;
	position = position + step;
	return position == 0;
}
