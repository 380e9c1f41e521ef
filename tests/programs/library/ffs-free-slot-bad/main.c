#include <assert.h>
#include <strings.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int mask = __VERIFIER_nondet_uchar();
    int slot = ffs(mask);
    if (mask != 0)
        assert((mask & (1 << slot)) != 0);
    return 0;
}
