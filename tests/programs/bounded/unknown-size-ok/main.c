#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n >= 1 && n <= 3);
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = i;
    free(a);
    return 0;
}
