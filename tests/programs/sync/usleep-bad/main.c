#include <pthread.h>
#include <assert.h>
#include <unistd.h>

int x;

void *f(void *arg) {
    x = 1;
    usleep(10);
    x = 0;
    return 0;
}

void *g(void *arg) {
    usleep(1000);
    assert(x == 0);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
