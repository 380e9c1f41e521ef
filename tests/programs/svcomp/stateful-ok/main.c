#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1 = 10, data2 = 10;

void *thread1(void *arg) {
    pthread_mutex_lock(&ma);
    data1++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2++;
    pthread_mutex_unlock(&mb);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&ma);
    data1 += 5;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 -= 6;
    pthread_mutex_unlock(&mb);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread1, NULL);
    pthread_create(&t2, NULL, thread2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    if (data1 != 16 || data2 != 5)
        reach_error();
    return 0;
}
