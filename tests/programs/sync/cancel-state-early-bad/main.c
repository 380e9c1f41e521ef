#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    pthread_testcancel();
    pthread_setcancelstate(old, NULL);
    pthread_testcancel();
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
