#include <assert.h>
#include <pthread.h>

#define N 2

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int l, c;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(l == 0);
    l = 1;
    __VERIFIER_atomic_end();
    c++;
    __VERIFIER_atomic_begin();
    l = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(c == 2);
    return 0;
}
