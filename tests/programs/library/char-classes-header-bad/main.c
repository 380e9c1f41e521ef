#include <assert.h>
#include <ctype.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    if (isxdigit(c) && !isupper(c) && !islower(c))
        assert(isdigit(c));
    if (isxdigit(c) && !isupper(c))
        assert(isdigit(c));
    return 0;
}
