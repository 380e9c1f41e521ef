#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *f(void *arg) {
    struct timespec ts = {0, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &ts);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    return 0;
}
