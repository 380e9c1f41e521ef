#include <pthread.h>

extern void reach_error(void);

int latch[2], flag[2];

void *worker(void *arg) {
    int me = arg != 0, other = !me;
    for (int round = 0; round < 2; round++) {
        while (!latch[me])
            ;
        if (!flag[me])
            reach_error();
        latch[me] = 0;
        __sync_synchronize();
        if (flag[me]) {
            flag[me] = 0;
            flag[other] = 1;
            latch[other] = 1;
        }
    }
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    flag[0] = 1;
    latch[0] = 1;
    pthread_create(&id1, 0, worker, (void *)0);
    pthread_create(&id2, 0, worker, (void *)1);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
