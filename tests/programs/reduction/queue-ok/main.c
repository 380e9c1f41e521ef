#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int queue[2], front, back, sum;

void *f(void *arg) {
    for (int i = 1; i < 3; i++) {
        __VERIFIER_atomic_begin();
        queue[back] = i;
        back++;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

void *g(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(front < back);
        sum += queue[front];
        front++;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(sum == 3);
    return 0;
}
