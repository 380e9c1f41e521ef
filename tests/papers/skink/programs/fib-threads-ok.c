#include <pthread.h>
extern void reach_error(void);

int i = 1, j = 1;

static void *f1(void *arg) {
    j += i;
    pthread_exit(0);
}

static void *f2(void *arg) {
    i += j;
    pthread_exit(0);
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, 0);
    if (i + j > 5)
        reach_error();
    return 0;
}
