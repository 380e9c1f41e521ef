#include <assert.h>
#include <pthread.h>

int x = 40;
int y, z;

void *t1(void *arg) {
    int r = 1 << x;
    y = 2;
    z = r;
    return 0;
}

void *t2(void *arg) {
    assert(y != 2);
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
