#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
int x;

void *set(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    _Bool k = __VERIFIER_nondet_bool();
    if (k)
        pthread_create(&id, 0, set, 0);
    if (k)
        pthread_join(id, 0);
    assert(x == k);
    return 0;
}
