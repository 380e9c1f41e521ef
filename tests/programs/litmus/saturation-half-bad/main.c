#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);
void reach_error(void) { assert(0); }

_Atomic int x, y, z;

#define SEE(var, val) do { int r_ = var; __VERIFIER_assume(r_ == val); } while (0)

void *t_0(void *arg) {
    y = 1;
    z = 1;
    SEE(x, 1);
    return 0;
}

void *t_1(void *arg) {
    x = 2;
    SEE(y, 2);
    SEE(z, 2);
    return 0;
}

void *t_2(void *arg) {
    y = 2;
    SEE(z, 1);
    return 0;
}

void *t_3(void *arg) {
    z = 2;
    SEE(y, 1);
    return 0;
}

void *t_4(void *arg) {
    SEE(x, 2);
    return 0;
}

void *t_5(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3, t4, t5, t6;
    pthread_create(&t1, NULL, t_0, NULL);
    pthread_create(&t2, NULL, t_1, NULL);
    pthread_create(&t3, NULL, t_2, NULL);
    pthread_create(&t4, NULL, t_3, NULL);
    pthread_create(&t5, NULL, t_4, NULL);
    pthread_create(&t6, NULL, t_5, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    pthread_join(t5, NULL);
    pthread_join(t6, NULL);
    reach_error();
    return 0;
}
