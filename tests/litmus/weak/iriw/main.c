#include <assert.h>
#include <pthread.h>

int x, y;
int a, b;

void *t1(void *arg) {
    x = 1;
    return 0;
}

void *t2(void *arg) {
    y = 1;
    return 0;
}

void *t3(void *arg) {
    int first = x, second = y;
    a = first == 1 && second == 0;
    return 0;
}

void *t4(void *arg) {
    int first = y, second = x;
    b = first == 1 && second == 0;
    return 0;
}

int main(void) {
    pthread_t id1, id2, id3, id4;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_create(&id3, 0, t3, 0);
    pthread_create(&id4, 0, t4, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    pthread_join(id3, 0);
    pthread_join(id4, 0);
    assert(!(a && b));
    return 0;
}
