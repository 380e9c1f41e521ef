#include <assert.h>

int isascii(int), toascii(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    assert(isascii(toascii(c)));
    assert(!isascii(c) == (toascii(c) != c));
    return 0;
}
