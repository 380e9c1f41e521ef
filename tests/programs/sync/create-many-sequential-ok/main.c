#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = x + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; i++) {
        pthread_create(&t, NULL, f, NULL);
        pthread_join(t, NULL);
    }
    assert(x == 4);
    return 0;
}
