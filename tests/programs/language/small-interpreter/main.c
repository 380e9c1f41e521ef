#include <assert.h>

enum op { SET_ACC, SET_COUNT, MUL, DEC, JUMP_IF_COUNT, HALT };

static const unsigned char program[] = {
	SET_ACC, 1,
	SET_COUNT, 5,
	MUL,
	DEC,
	JUMP_IF_COUNT, 4,
	HALT
};

static int run(const unsigned char *code)
{
	int acc = 0, count = 0, pc = 0;
	for (;;) {
		switch ((enum op)code[pc++]) {
		case SET_ACC: acc = code[pc++]; break;
		case SET_COUNT: count = code[pc++]; break;
		case MUL: acc *= count; break;
		case DEC: count--; break;
		case JUMP_IF_COUNT: pc = count ? code[pc] : pc + 1; break;
		case HALT: return acc;
		}
	}
}

int main(void)
{
	assert(run(program) == 120);
	return 0;
}
