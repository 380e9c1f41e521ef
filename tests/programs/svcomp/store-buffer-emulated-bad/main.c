#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { assert(0); }

int x, y, bx, by, bx_full, by_full, r1, r2;

void flush_x(void) {
    if (bx_full) {
        x = bx;
        bx_full = 0;
    }
}

void flush_y(void) {
    if (by_full) {
        y = by;
        by_full = 0;
    }
}

void *p0(void *arg) {
    __VERIFIER_atomic_begin();
    bx = 1;
    bx_full = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool())
        flush_x();
    r1 = y;
    __VERIFIER_atomic_end();
    return 0;
}

void *p1(void *arg) {
    __VERIFIER_atomic_begin();
    by = 1;
    by_full = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool())
        flush_y();
    r2 = x;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, p0, NULL);
    pthread_create(&t2, NULL, p1, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    if (r1 == 0 && r2 == 0)
        reach_error();
    return 0;
}
