#include <assert.h>
#include <pthread.h>

union { struct { short low, high; } part; int whole; } u;
int a, b;

void *t1(void *arg) {
    u.whole = 0x00010001;
    return 0;
}

void *t2(void *arg) {
    a = u.part.high;
    b = u.part.low;
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
