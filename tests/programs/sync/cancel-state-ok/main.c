#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    int old = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, &result);
    assert(x == 1 && result == NULL);
    return 0;
}
