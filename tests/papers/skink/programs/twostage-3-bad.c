#include <pthread.h>
extern void reach_error(void);

pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
int data1, data2;

static void *writes(void *arg) {
    pthread_mutex_lock(&m1);
    data1 = 1;
    pthread_mutex_unlock(&m1);
    pthread_mutex_lock(&m2);
    data2 = data1 + 1;
    pthread_mutex_unlock(&m2);
    return 0;
}

static void *reads(void *arg) {
    pthread_mutex_lock(&m1);
    int one = data1;
    pthread_mutex_unlock(&m1);
    if (one == 0)
        return 0;
    pthread_mutex_lock(&m2);
    int two = data2;
    pthread_mutex_unlock(&m2);
    if (two != one + 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, writes, 0);
    pthread_create(&t[2], 0, reads, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
