#include <assert.h>
#include <pthread.h>

#define N 3

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    c++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(c == 3);
    return 0;
}
