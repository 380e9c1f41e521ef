#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static unsigned char digit(void) {
    unsigned char value = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(value < 4);
    return value;
}

static int by_value(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void) {
    unsigned char values[3] = {digit(), digit(), digit()};
    int sum = values[0] + values[1] + values[2];
    qsort(values, 3, 1, by_value);
    assert(values[0] <= values[1] && values[1] <= values[2]);
    assert(values[0] + values[1] + values[2] == sum);
    return 0;
}
