#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *dies(void *p)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t a;
    struct timespec none = {0, -1};
    int code = 0;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    assert(pthread_cond_wait(&c, &m) == EPERM && pthread_cond_timedwait(&c, &m, &none) == EINVAL);
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, dies, 0);
    pthread_cancel(t);
    while (!ready)
        code = pthread_cond_wait(&c, &m);
    assert(code == EOWNERDEAD && pthread_mutex_consistent(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    return 0;
}
