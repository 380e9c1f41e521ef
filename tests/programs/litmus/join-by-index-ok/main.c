#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x[2];

void *f(void *arg) {
    x[(long)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    int i = __VERIFIER_nondet_bool();
    pthread_join(t[i], NULL);
    assert(x[i] == 1);
    return 0;
}
