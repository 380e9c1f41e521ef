#include <assert.h>
#include <pthread.h>
#include <signal.h>

int x;

void *f(void *arg) {
    x = 1;
    raise(SIGTERM);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    assert(x == 0);
    pthread_join(t, NULL);
    return 0;
}
