#include <assert.h>
#include <pthread.h>

int x, y;
int a, b, c;

void *t1(void *arg) {
    x = 1;
    return 0;
}

void *t2(void *arg) {
    a = x;
    y = 1;
    return 0;
}

void *t3(void *arg) {
    b = y;
    c = x;
    return 0;
}

int main(void) {
    pthread_t id1, id2, id3;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_create(&id3, 0, t3, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    pthread_join(id3, 0);
    assert(!(a == 1 && b == 1 && c == 0));
    return 0;
}
