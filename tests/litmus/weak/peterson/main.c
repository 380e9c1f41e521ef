#include <assert.h>
#include <pthread.h>

int flag0, flag1, turn, n;

void *t1(void *arg) {
    flag0 = 1;
    turn = 1;
    while (flag1 && turn == 1)
        ;
    int mine = n;
    n = mine + 1;
    flag0 = 0;
    return 0;
}

void *t2(void *arg) {
    flag1 = 1;
    turn = 0;
    while (flag0 && turn == 0)
        ;
    int mine = n;
    n = mine + 1;
    flag1 = 0;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(n == 2);
    return 0;
}
