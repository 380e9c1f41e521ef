#include <assert.h>

extern unsigned char __VERIFIER_nondet_u8(void);

int main(void) {
    signed char c = (signed char)__VERIFIER_nondet_u8();
    assert(c >= 0);
    return 0;
}
