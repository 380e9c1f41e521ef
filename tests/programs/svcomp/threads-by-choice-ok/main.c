#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int ran;

void *thr(void *arg) {
    ran++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    int n = 0;
    while (n < 2 && __VERIFIER_nondet_bool()) {
        pthread_create(&t[n], NULL, thr, NULL);
        n++;
    }
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    assert(ran == n);
    return 0;
}
