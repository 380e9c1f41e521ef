#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}

void *g(void *arg) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        c++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
