#include <assert.h>
#include <pthread.h>

int flag0, flag1, in0, in1;

void *t1(void *arg) {
    flag0 = 1;
    __sync_synchronize();
    if (flag1 == 0)
        in0 = 1;
    return 0;
}

void *t2(void *arg) {
    flag1 = 1;
    __sync_synchronize();
    if (flag0 == 0)
        in1 = 1;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(in0 == 1 && in1 == 1));
    return 0;
}
