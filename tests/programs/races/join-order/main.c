#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = x + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
