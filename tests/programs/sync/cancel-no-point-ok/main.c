#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = 1;
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, f, NULL);
    pthread_cancel(t);
    pthread_join(t, &r);
    assert(x == 2 && r == NULL);
    return 0;
}
