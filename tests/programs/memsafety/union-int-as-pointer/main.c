#include <stdint.h>

union value { intptr_t number; int *pointer; };

static int cell = 4;

static int get(union value v, int is_pointer)
{
	return is_pointer ? *v.pointer : (int)v.number;
}

int main(void)
{
	union value a = { .pointer = &cell }, b = { .number = 12 };
	return get(a, 1) == get(b, 1);
}
