#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon = {1, 0};
int told;

void *waiter(void *arg) {
    if (pthread_mutex_trylock(&m)) return 0;
    if (!told) pthread_cond_timedwait(&c, &m, &soon);
    _Exit(0);
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, waiter, 0);
    pthread_mutex_lock(&m);
    told = 1;
    pthread_cond_broadcast(&c);
    pthread_join(h, 0); /* in time or not, the waiter wants the mutex again */
    return 0;
}
