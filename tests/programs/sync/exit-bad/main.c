#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x;

void *f(void *arg) {
    if (__VERIFIER_nondet_bool())
        pthread_exit(NULL);
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 1);
    return 0;
}
