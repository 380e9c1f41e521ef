#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int i = 1, j = 1;

void *t_i(void *arg) {
    __VERIFIER_atomic_begin();
    i += j;
    __VERIFIER_atomic_end();
    return 0;
}

void *t_j(void *arg) {
    __VERIFIER_atomic_begin();
    j += i;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, t_i, NULL);
    pthread_create(&t2, NULL, t_j, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i + j == 5 && (i == 3 || j == 3));
    return 0;
}
