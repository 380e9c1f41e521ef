#include <assert.h>
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    int a = __VERIFIER_nondet_char();
    assert(abs(a - 100) == abs(100 - a));
    assert(abs(a - 100) <= 228);
    return 0;
}
