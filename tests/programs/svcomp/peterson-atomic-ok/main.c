#include <pthread.h>
#include <assert.h>

_Atomic int flag[2], turn;
int n;

void *thr(void *arg) {
    int me = (int)(long)arg;
    flag[me] = 1;
    turn = 1 - me;
    while (flag[1 - me] && turn == 1 - me)
        ;
    n = n + 1;
    flag[me] = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr, (void *)0L);
    pthread_create(&t2, NULL, thr, (void *)1L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
