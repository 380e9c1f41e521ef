#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    assert(x == 1);
    pthread_join(t1, NULL);
    return 0;
}
