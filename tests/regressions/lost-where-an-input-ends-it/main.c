#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int put(int *block, int value) {
    *block = value;
    free(block);
    return value;
}

int main(void) {
    int k;
    put(malloc(sizeof(int)), (k = __VERIFIER_nondet_int(), k < 0 || k > 9) ? (exit(1), 0) : k);
    return 0;
}
