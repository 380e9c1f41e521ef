#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x = 5, y, a, b, c;

void *chooser(void *arg) {
    y = 1;
    x = __VERIFIER_nondet_bool();
    return 0;
}

void *reader(void *arg) {
    a = y;
    b = x;
    return 0;
}

void *other(void *arg) {
    c = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, chooser, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_create(&t3, 0, other, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(!(x == 1 && a == 0 && b == 1 && c == 5));
    return 0;
}
