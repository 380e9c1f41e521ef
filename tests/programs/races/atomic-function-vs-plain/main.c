#include <pthread.h>
#include <assert.h>

int x;

void __VERIFIER_atomic_set(void) {
    x = 1;
}

void *f(void *arg) {
    __VERIFIER_atomic_set();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    int r = x;
    pthread_join(t1, NULL);
    assert(r == 0 || r == 1);
    return 0;
}
