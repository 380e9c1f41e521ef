#include <stddef.h>
#include <stdint.h>

static ptrdiff_t advance(ptrdiff_t offset, ptrdiff_t step)
{
	return offset + step;
}

int main(void)
{
	ptrdiff_t o = PTRDIFF_MAX - 8;
	o = advance(o, 8);
	o = advance(o, 8);
	return o == 0;
}
