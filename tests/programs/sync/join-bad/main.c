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
    int seen = x;
    pthread_join(t1, NULL);
    assert(seen == 1);
    return 0;
}
