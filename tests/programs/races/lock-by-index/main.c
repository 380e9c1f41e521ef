#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int a[2];

void *f(void *arg) {
    int i = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&m[i]);
    a[i]++;
    pthread_mutex_unlock(&m[i]);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a[0] + a[1] == 2);
    return 0;
}
