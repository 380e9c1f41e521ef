#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    assert(atol("-2147483647") == -LONG_MAX);
    assert(atoll("5000000000") == 5000000000LL);
    assert(labs(-LONG_MAX) == 2147483647L);
    assert(llabs(-5000000000LL) == 5000000000LL);
    assert(ffsl(LONG_MIN) == 32 && ffsl(0) == 0);
    assert(ffsll(1LL << 40) == 41);
    return 0;
}
