#include <assert.h>
#include <limits.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    long long value = __VERIFIER_nondet_longlong();
    if (value < 0)
        assert(-(value + 1) != LLONG_MAX);
    return 0;
}
