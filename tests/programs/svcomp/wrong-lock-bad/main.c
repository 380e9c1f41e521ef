#include <pthread.h>
#include <assert.h>

pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER, thread_lock = PTHREAD_MUTEX_INITIALIZER;
int value;

void *writer(void *arg) {
    pthread_mutex_lock(&data_lock);
    value = value + 1;
    pthread_mutex_unlock(&data_lock);
    return 0;
}

void *checker(void *arg) {
    pthread_mutex_lock(&thread_lock);
    int v = value;
    value = v + 1;
    pthread_mutex_unlock(&thread_lock);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, checker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(value == 2);
    return 0;
}
