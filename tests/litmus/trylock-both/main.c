#include <assert.h>
#include <pthread.h>

#define N 2

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int failed[2];

void *worker(void *arg) {
    int i = (int)(long)arg;
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    else
        failed[i] = 1;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(!failed[1]);
    return 0;
}
