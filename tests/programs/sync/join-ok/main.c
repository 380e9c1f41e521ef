#include <pthread.h>
#include <assert.h>

int x, y;

void *f(void *arg) {
    x = 1;
    y = 2;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x + y == 3);
    return 0;
}
