#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

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
        __VERIFIER_assume(counter > 0);
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
    assert(counter == 0);
    return 0;
}
