#include <assert.h>

int isalnum(int), toupper(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    if (isalnum(c) && toupper(c) == c)
        assert(toupper(c + 32) == c);
    return 0;
}
