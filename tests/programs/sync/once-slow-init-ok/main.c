#include <pthread.h>
#include <assert.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int a, b;

void init(void) {
    a = 1;
    b = 1;
}

void *f(void *arg) {
    pthread_once(&once, init);
    assert(a == 1 && b == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_once(&once, init);
    assert(a + b == 2);
    pthread_join(t, NULL);
    return 0;
}
