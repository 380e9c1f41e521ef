#include <assert.h>
#include <stddef.h>

extern size_t __VERIFIER_nondet_size_t(void);

int main(void) {
    size_t count = __VERIFIER_nondet_size_t();
    if (count == 0x80000000u)
        assert(count * 2 != 0);
    return 0;
}
