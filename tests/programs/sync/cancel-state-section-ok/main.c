#include <pthread.h>
#include <assert.h>
#include <unistd.h>

int x, y;

void *f(void *arg) {
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    x = 1;
    sleep(1);
    y = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(x == y);
    return 0;
}
