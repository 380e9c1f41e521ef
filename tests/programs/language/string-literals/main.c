#include <assert.h>

static const char *const word[] = { "zero", "one", "two" };
static char copy[] = "text";

int main(void)
{
	assert(sizeof "abc" == 4 && sizeof copy == 5);
	assert(word[2][1] == 'w' && *word[0] == 'z' && word[1][3] == 0);
	assert("con" "cat"[3] == 'c');
	assert("\x41\102\n"[0] == 65 && "\x41\102\n"[1] == 66 && "\x41\102\n"[2] == 10);
	copy[0] = 'n';
	assert(copy[0] == 'n' && copy[4] == 0);
	return 0;
}
