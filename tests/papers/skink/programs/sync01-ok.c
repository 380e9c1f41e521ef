#include <pthread.h>
extern void reach_error(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
int num = 1;

static void *puts_one(void *arg) {
    pthread_mutex_lock(&m);
    while (num > 0)
        pthread_cond_wait(&empty, &m);
    num++;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&full);
    return 0;
}

static void *takes_one(void *arg) {
    pthread_mutex_lock(&m);
    while (num == 0)
        pthread_cond_wait(&full, &m);
    num--;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&empty);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, puts_one, 0);
    pthread_create(&t2, 0, takes_one, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    if (num != 1)
        reach_error();
    return 0;
}
