#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go, waiting;

void unlock(void *arg)
{
    pthread_mutex_unlock(&m);
}

void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    waiting = 1;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t h;
    void *result;
    pthread_create(&h, 0, wait_for_it, 0);
    pthread_mutex_lock(&m);
    if (!waiting)
        return 0;
    go = 1;
    pthread_cond_signal(&c);
    pthread_cancel(h);
    pthread_mutex_unlock(&m);
    pthread_join(h, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
