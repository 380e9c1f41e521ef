#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);
void reach_error(void) { assert(0); }

int w, r, x, y;

void __VERIFIER_atomic_take_write(void) {
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
}

void __VERIFIER_atomic_release_write(void) {
    w = 0;
}

void __VERIFIER_atomic_take_read(void) {
    __VERIFIER_assume(w == 0);
    r = r + 1;
}

void __VERIFIER_atomic_release_read(void) {
    r = r - 1;
}

void *writer(void *arg) {
    __VERIFIER_atomic_take_write();
    x = 3;
    __VERIFIER_atomic_release_write();
    return 0;
}

void *reader(void *arg) {
    __VERIFIER_atomic_take_read();
    int l = x;
    y = l;
    if (y != x)
        reach_error();
    __VERIFIER_atomic_release_read();
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_create(&t3, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
