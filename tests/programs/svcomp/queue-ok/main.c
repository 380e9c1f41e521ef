#include <pthread.h>
#include <assert.h>

int q[2], head, tail;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *put(void *arg) {
    pthread_mutex_lock(&m);
    q[tail++] = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    q[tail++] = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

void *get(void *arg) {
    int last = 0;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        if (head < tail) {
            assert(q[head] == last + 1);
            last = q[head++];
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, put, NULL);
    pthread_create(&t2, NULL, get, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
