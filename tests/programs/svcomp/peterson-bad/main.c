#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int flag1, flag2, turn, x;

void *thr1(void *arg) {
    turn = 1;
    flag1 = 1;
    while (flag2 == 1 && turn == 1)
        ;
    x = 0;
    if (x > 0)
        reach_error();
    flag1 = 0;
    return 0;
}

void *thr2(void *arg) {
    turn = 0;
    flag2 = 1;
    while (flag1 == 1 && turn == 0)
        ;
    x = 1;
    if (x < 1)
        reach_error();
    flag2 = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr1, NULL);
    pthread_create(&t2, NULL, thr2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
