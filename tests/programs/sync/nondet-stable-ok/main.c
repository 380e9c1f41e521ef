#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int v, bad;

void *f(void *arg) {
    int a = v, b = v;
    if (a != b)
        bad = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    v = __VERIFIER_nondet_bool();
    int before = v;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!bad && v == before);
    return 0;
}
