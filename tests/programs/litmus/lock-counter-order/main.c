#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int order;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    order = order * 10 + (int)(long)arg;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, f, (void *)1L);
    pthread_create(&t2, NULL, f, (void *)2L);
    pthread_create(&t3, NULL, f, (void *)3L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(order != 321);
    return 0;
}
