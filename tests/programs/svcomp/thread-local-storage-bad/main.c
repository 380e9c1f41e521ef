#include <pthread.h>
#include <assert.h>

_Thread_local int mine;

void *thr(void *arg) {
    assert(mine == 1);
    return 0;
}

int main(void) {
    mine = 1;
    pthread_t t1;
    pthread_create(&t1, NULL, thr, NULL);
    pthread_join(t1, NULL);
    return 0;
}
