#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char how = __VERIFIER_nondet_uchar();
    if (how == 0)
        _exit(0);
    if (how == 1)
        _Exit(1);
    if (how == 2)
        quick_exit(2);
    assert(how > 2);
    return 0;
}
