#include <pthread.h>
#include <assert.h>
#include <time.h>

int x;

void *f(void *arg) {
    time(NULL);
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 1);
    return 0;
}
