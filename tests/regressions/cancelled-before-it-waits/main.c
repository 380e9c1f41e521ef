#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *waits(void *arg)
{
    struct timespec until = { 1, 0 };
    pthread_mutex_lock(&m);
    pthread_cancel(pthread_self());
    if (arg)
        pthread_cond_wait(&c, &m);
    else
        pthread_cond_timedwait(&c, &m, &until);
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, waits, 0);
    pthread_join(h, 0);
    pthread_mutex_unlock(&m);
    pthread_create(&h, 0, waits, &h);
    pthread_join(h, 0);
    return 0;
}
