#include <assert.h>

extern __int128 __VERIFIER_nondet_int128(void);

int main(void) {
    __int128 value = __VERIFIER_nondet_int128();
    assert(value >= -9223372036854775807LL - 1);
    return 0;
}
