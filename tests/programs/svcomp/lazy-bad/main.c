#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *add(void *arg) {
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return 0;
}

void *check(void *arg) {
    pthread_mutex_lock(&m);
    if (data >= 2)
        reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, add, NULL);
    pthread_create(&t2, NULL, add, NULL);
    pthread_create(&t3, NULL, check, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
