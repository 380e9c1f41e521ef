#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int a[2], i;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    a[i] = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&m);
    a[1 - i] = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    i = __VERIFIER_nondet_bool();
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a[0] && a[1]);
    return 0;
}
