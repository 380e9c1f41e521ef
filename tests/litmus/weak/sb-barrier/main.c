#include <assert.h>
#include <pthread.h>

int x, y;
int a, b;
pthread_barrier_t w;

void *t1(void *arg) {
    x = 1;
    pthread_barrier_wait(&w);
    a = y;
    return 0;
}

void *t2(void *arg) {
    y = 1;
    pthread_barrier_wait(&w);
    b = x;
    return 0;
}

int main(void) {
    pthread_barrier_init(&w, 0, 2);
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 0 || b == 0));
    return 0;
}
