#include <assert.h>
#include <stdint.h>

static uint64_t mul_high(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

int main(void)
{
	int64_t p = 3037000499LL;
	assert(p * p == 9223372030926249001LL);
	assert(mul_high(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
	__int128 big = (__int128)INT64_MAX * INT64_MAX;
	assert(big / INT64_MAX == INT64_MAX && big % 10 == 9);
	assert((int64_t)(-big >> 100) == -(1LL << 26) );
	assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
	assert(UINT64_MAX / 10 == 1844674407370955161ULL);
	return 0;
}
