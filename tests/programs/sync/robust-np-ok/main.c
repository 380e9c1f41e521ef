#include <assert.h>
#include <errno.h>
#include <pthread.h>

int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *a, int robust);
int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *a, int *robust);
int pthread_mutex_consistent_np(pthread_mutex_t *m);

static pthread_mutex_t m;

static void *dies(void *p)
{
    pthread_mutex_lock(&m);
    return 0;
}

int main(void)
{
    pthread_mutexattr_t a;
    pthread_t t;
    int robust;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_setrobust_np(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust_np(&a, &robust) == 0 && robust == 1);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, dies, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD && pthread_mutex_consistent_np(&m) == 0);
    return 0;
}
