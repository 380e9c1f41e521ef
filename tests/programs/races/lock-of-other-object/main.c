#include <pthread.h>

struct acc {
    pthread_mutex_t m;
    int n;
} a[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

void *f(void *arg) {
    pthread_mutex_lock(&a[0].m);
    a[0].n++;
    pthread_mutex_unlock(&a[0].m);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&a[1].m);
    a[0].n++;
    pthread_mutex_unlock(&a[1].m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
