#include <assert.h>
#include <pthread.h>

int x;
int a, b;

void *t1(void *arg) {
    a = x;
    x = 1;
    return 0;
}

void *t2(void *arg) {
    b = x;
    x = 2;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 2 && b == 1));
    return 0;
}
