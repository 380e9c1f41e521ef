#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long first;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    if (!first)
        first = (long)arg;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, (void *)1L);
    pthread_create(&t2, NULL, f, (void *)2L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(first == 1);
    return 0;
}
