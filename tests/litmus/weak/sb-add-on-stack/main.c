#include <assert.h>
#include <pthread.h>

int x, y;
int a, b;

void *t1(void *arg) {
    int own = 0;
    x = 1;
    __sync_fetch_and_add(&own, 1);
    a = y;
    return 0;
}

void *t2(void *arg) {
    int own = 0;
    y = 1;
    __sync_fetch_and_add(&own, 1);
    b = x;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 0 && b == 0));
    return 0;
}
