#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1, data2;

void *writer(void *arg) {
    pthread_mutex_lock(&ma);
    data1 = 1;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 = data1 + 1;
    pthread_mutex_unlock(&mb);
    return 0;
}

void *reader(void *arg) {
    pthread_mutex_lock(&ma);
    int t1 = data1;
    pthread_mutex_unlock(&ma);
    if (t1 == 0)
        return 0;
    pthread_mutex_lock(&mb);
    int t2 = data2;
    pthread_mutex_unlock(&mb);
    if (t2 != t1 + 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
