#include <pthread.h>

void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_yield(void);

int n;

void *f(void *arg) {
    __ESBMC_atomic_begin();
    n = n + 1;
    __ESBMC_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    int seen = n;
    __ESBMC_yield();
    n = seen + 1;
    pthread_join(t, NULL);
    __ESBMC_assert(n == 2, "nothing is lost");
    return 0;
}
