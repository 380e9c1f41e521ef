#include <pthread.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __CPROVER_assert(_Bool, const char *);

int n;

void *f(void *arg) {
    __CPROVER_atomic_begin();
    int seen = n;
    __CPROVER_atomic_end();
    __CPROVER_atomic_begin();
    n = seen + 1;
    __CPROVER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    f(NULL);
    pthread_join(t, NULL);
    __CPROVER_assert(n == 2, "nothing is lost");
    return 0;
}
