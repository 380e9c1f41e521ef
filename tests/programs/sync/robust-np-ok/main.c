#include <assert.h>
#include <errno.h>
#include <pthread.h>

int set(pthread_mutexattr_t *a, int robust) __asm__("pthread_mutexattr_setrobust_np");
int get(const pthread_mutexattr_t *a, int *robust) __asm__("pthread_mutexattr_getrobust_np");
int consistent(pthread_mutex_t *m) __asm__("pthread_mutex_consistent_np");

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
    assert(set(&a, PTHREAD_MUTEX_ROBUST) == 0 && get(&a, &robust) == 0 && robust == 1);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, dies, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD && consistent(&m) == 0);
    return 0;
}
