#include <pthread.h>
extern void reach_error(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int i = 1, j = 1;

static void *f1(void *arg) {
    pthread_mutex_lock(&m);
    j += i;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

static void *f2(void *arg) {
    pthread_mutex_lock(&m);
    i += j;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    if (i + j != 5)
        reach_error();
    return 0;
}
