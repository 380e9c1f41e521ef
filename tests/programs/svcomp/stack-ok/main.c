#include <pthread.h>
#include <assert.h>

int arr[3], top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void push(int v) {
    assert(top < 3);
    arr[top++] = v;
}

int pop(void) {
    assert(top > 0);
    return arr[--top];
}

void *pusher(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        push(i);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *popper(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        if (top > 0)
            assert(pop() <= 1);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, pusher, NULL);
    pthread_create(&t2, NULL, popper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
