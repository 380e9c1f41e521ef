#include <stddef.h>

int main(void)
{
	ptrdiff_t span = (ptrdiff_t)1 << 30;
	ptrdiff_t grown = span + span;
	return grown == 0;
}
