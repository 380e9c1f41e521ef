#include <pthread.h>
#include <assert.h>

int num = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;

void *thread1(void *arg) {
    pthread_mutex_lock(&m);
    while (num > 0)
        pthread_cond_wait(&empty, &m);
    num++;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&m);
    while (num == 0)
        pthread_cond_wait(&full, &m);
    num--;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread1, NULL);
    pthread_create(&t2, NULL, thread2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(num == 1);
    return 0;
}
