#include <assert.h>

static inline int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

inline int thrice(int v)
{
	return 3 * v;
}
extern int thrice(int v);

/* Inlined, its parameters become scopes of aliases: metadata in the program's text. */
static inline __attribute__((always_inline)) int apart(int *restrict a, const int *restrict b)
{
	*a = 3;
	return *b;
}

int main(void)
{
	int three, four = 4;
	assert(apart(&three, &four) == 4 && three == 3);
	assert(clamp(5, 0, 3) == 3 && clamp(-1, 0, 3) == 0 && clamp(2, 0, 3) == 2);
	assert(thrice(clamp(9, 0, 4)) == 12);
	return 0;
}
