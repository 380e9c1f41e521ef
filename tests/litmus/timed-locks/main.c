#include <pthread.h>
#include <time.h>

#define N 2

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int c;

void *worker(void *arg) {
    if (pthread_mutex_timedlock(&m, &soon) == 0) {
        c++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
