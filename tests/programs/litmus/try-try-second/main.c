#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int failed[2];

void *f(void *arg) {
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    else
    failed[(long)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, (void *)0L);
    pthread_create(&t2, NULL, f, (void *)1L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!failed[1]);
    return 0;
}
