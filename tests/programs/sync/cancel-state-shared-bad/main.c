#include <pthread.h>
#include <assert.h>

int old = -1;

void *f(void *arg) {
    old = 7;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    int seen = old;
    assert(seen != 7);
    pthread_join(t, NULL);
    return 0;
}
