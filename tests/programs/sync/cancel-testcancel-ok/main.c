#include <pthread.h>
#include <assert.h>

int x, y;

void *f(void *arg) {
    pthread_testcancel();
    x = 1;
    y = 1;
    pthread_testcancel();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_cancel(t1);
    pthread_join(t1, NULL);
    assert(x == y);
    return 0;
}
