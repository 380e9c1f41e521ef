#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    assert(atoi("42") == 42);
    assert(atoi(" \t-17abc") == -17);
    assert(atoi("+5 6") == 5);
    assert(atoi("") == 0 && atoi("abc") == 0 && atoi("- 1") == 0);
    assert(atoi("2147483647") == INT_MAX);
    assert(atol("-5000000000") == -5000000000L);
    assert(atoll("9223372036854775807") == LLONG_MAX);
    assert(abs(-3) == 3 && abs(3) == 3 && abs(0) == 0);
    assert(labs(-5000000000L) == 5000000000L);
    assert(llabs(-LLONG_MAX) == LLONG_MAX);
    assert(ffs(0) == 0 && ffs(1) == 1 && ffs(12) == 3 && ffs(INT_MIN) == 32);
    assert(ffsl(1L << 40) == 41 && ffsl(0) == 0);
    assert(ffsll(LLONG_MIN) == 64);
    return 0;
}
