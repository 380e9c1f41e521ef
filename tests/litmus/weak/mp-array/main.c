#include <assert.h>
#include <pthread.h>

int v[2];
int a, b;

void *t1(void *arg) {
    v[0] = 1;
    v[1] = 1;
    return 0;
}

void *t2(void *arg) {
    a = v[1];
    b = v[0];
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 1 && b == 0));
    return 0;
}
