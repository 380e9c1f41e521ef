#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    assert(x == 1);
    x = 2;
    return 0;
}

int main(void) {
    x = 1;
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 2);
    return 0;
}
