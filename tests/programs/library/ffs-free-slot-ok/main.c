#include <assert.h>
#include <strings.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int mask = __VERIFIER_nondet_uchar();
    int slot = ffs(mask) - 1;
    if (mask == 0)
        assert(slot == -1);
    else
        assert((mask & (1 << slot)) != 0 && (mask & ((1 << slot) - 1)) == 0);
    return 0;
}
