#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signals(void *p)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t a;
    struct timespec soon = {1, 0};
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, signals, 0);
    assert(pthread_cond_timedwait(&c, &m, &soon) == 0);
    pthread_cond_wait(&c, &m);
    return 0;
}
