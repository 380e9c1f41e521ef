#include <assert.h>

struct inner { short a; char tag[3]; };
struct outer { int id; struct inner in[2]; long tail; };

int main(void)
{
	struct outer x = { 1, { { 2, "ab" }, { 3, "cd" } }, 4 };
	struct outer y = x;
	y.in[1].a = 30;
	y.in[0].tag[1] = 'z';
	assert(x.in[1].a == 3 && y.in[1].a == 30);
	assert(x.in[0].tag[1] == 'b' && y.in[0].tag[1] == 'z');
	x.in[0] = y.in[1];
	assert(x.in[0].a == 30 && x.in[0].tag[0] == 'c');
	assert(y.tail == 4 && x.id == y.id);
	return 0;
}
