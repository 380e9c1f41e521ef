#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int counter;

void *f(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        counter++;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

void *g(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        counter--;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    assert(counter >= 0);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
