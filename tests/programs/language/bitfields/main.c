#include <assert.h>

struct flags {
	unsigned int ready : 1;
	signed int level : 3;
	unsigned int code : 12;
	signed int rest : 16;
};

int main(void)
{
	struct flags f = { 0, 0, 0, 0 };
	f.ready = 3;
	f.level = 5;
	f.code = 0x1fff;
	f.rest = 40000;
	assert(f.ready == 1);
	assert(f.level == -3);
	assert(f.code == 0xfff);
	assert(f.rest == 40000 - 65536);
	f.code = 0;
	assert(f.level == -3 && f.ready == 1 && f.rest < 0);
	assert(sizeof f == 4);
	return 0;
}
