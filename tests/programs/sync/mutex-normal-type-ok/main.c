#include <pthread.h>
#include <assert.h>

pthread_mutex_t m, k;
int n;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&k);
    n = n + 1;
    pthread_mutex_unlock(&k);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_DEFAULT);
    pthread_mutex_init(&k, &a);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
