#include <limits.h>

struct packed {
	signed int kind : 4;
	signed int value : 32;
};

int main(void)
{
	struct packed p = { 3, INT_MAX };
	p.value += p.kind;
	return p.value == 0;
}
