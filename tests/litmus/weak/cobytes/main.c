#include <assert.h>
#include <pthread.h>

union { int whole; char byte[4]; } u;
int a, b;

void *t1(void *arg) {
    u.whole = 0x01010101;
    u.byte[0] = 2;
    return 0;
}

void *t2(void *arg) {
    a = u.whole;
    b = u.whole;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!((a == 0x01010102 && b == 0x01010101) || a == 2));
    return 0;
}
