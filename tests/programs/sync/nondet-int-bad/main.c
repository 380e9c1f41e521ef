#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int x;

void *f(void *arg) {
    x = __VERIFIER_nondet_int();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    if (x == 4711)
        reach_error();
    return 0;
}
