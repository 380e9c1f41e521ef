#include <assert.h>

extern void __VERIFIER_assume(int);
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void) {
    __int128 small = __VERIFIER_nondet_int128();
    __VERIFIER_assume(small >= -1 && small <= 1);
    unsigned __int128 bit = __VERIFIER_nondet_uint128();
    __VERIFIER_assume(bit < 2);
    assert(small + (int)bit <= 2);
    return 0;
}
