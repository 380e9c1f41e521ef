#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go, waiting;

void unlock(void *arg)
{
    pthread_mutex_unlock(&m);
}

void *wait_and_pass_on(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    waiting++;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_cond_signal(&c);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t h, k;
    pthread_create(&h, 0, wait_and_pass_on, 0);
    pthread_create(&k, 0, wait_and_pass_on, 0);
    pthread_mutex_lock(&m);
    if (waiting < 2)
        return 0;
    pthread_cancel(h);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(h, 0);
    pthread_join(k, 0);
    return 0;
}
