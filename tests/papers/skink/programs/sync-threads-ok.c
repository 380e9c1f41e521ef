#include <pthread.h>
extern void reach_error(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t five = PTHREAD_COND_INITIALIZER;
int num;

static void *first(void *arg) {
    pthread_mutex_lock(&m);
    num = 5;
    pthread_cond_signal(&five);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *second(void *arg) {
    pthread_mutex_lock(&m);
    while (num != 5)
        pthread_cond_wait(&five, &m);
    num = 10;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    if (num != 10)
        reach_error();
    return 0;
}
