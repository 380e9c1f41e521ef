#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);

_Atomic int inside;
int x;

void *f(void *arg) {
    int n = inside++;
    __VERIFIER_assume(n == 0);
    x = x + 1;
    inside--;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
