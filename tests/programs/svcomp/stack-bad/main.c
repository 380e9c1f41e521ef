#include <pthread.h>
#include <assert.h>

int arr[3], top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int pop(void) {
    assert(top > 0);
    return arr[--top];
}

void *popper(void *arg) {
    pthread_mutex_lock(&m);
    int some = top > 0;
    pthread_mutex_unlock(&m);
    if (some) {
        pthread_mutex_lock(&m);
        pop();
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    arr[0] = 7;
    top = 1;
    pthread_t t1, t2;
    pthread_create(&t1, NULL, popper, NULL);
    pthread_create(&t2, NULL, popper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
