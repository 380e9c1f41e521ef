#include <pthread.h>
#include <assert.h>
#include <unistd.h>

int x;

void *f(void *arg) {
    sleep(1);
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
