#include <pthread.h>

void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_yield(void);
unsigned char __ESBMC_nondet_uchar(void);

int n;

void *f(void *arg) {
    __ESBMC_atomic_begin();
    n = n + 1;
    __ESBMC_atomic_end();
    __ESBMC_yield();
    return 0;
}

int main(void) {
    pthread_t t;
    unsigned char step = __ESBMC_nondet_uchar();
    __ESBMC_assume(step == 1 || step == 2);
    pthread_create(&t, NULL, f, NULL);
    f(NULL);
    pthread_join(t, NULL);
    __ESBMC_assert(n == 2, "nothing is lost");
    __ESBMC_assert(n - step <= 1, "at least one step");
    return 0;
}
