#include <assert.h>

static int run(const unsigned char *code)
{
	static const void *const label[] = { &&halt, &&inc, &&twice };
	int acc = 0;
	goto *label[*code++];
inc:
	acc++;
	goto *label[*code++];
twice:
	acc *= 2;
	goto *label[*code++];
halt:
	return acc;
}

int main(void)
{
	static const unsigned char program[] = { 1, 2, 1, 2, 2, 0 };
	assert(run(program) == 12);
	return 0;
}
