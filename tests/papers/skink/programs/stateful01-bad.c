#include <pthread.h>
extern void reach_error(void);

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1 = 10, data2 = 10;

static void *one(void *arg) {
    pthread_mutex_lock(&ma);
    data1++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2++;
    pthread_mutex_unlock(&mb);
    return 0;
}

static void *two(void *arg) {
    pthread_mutex_lock(&ma);
    data1 += 5;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 -= 6;
    pthread_mutex_unlock(&mb);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    if (data1 == 16 && data2 == 5)
        reach_error();
    return 0;
}
