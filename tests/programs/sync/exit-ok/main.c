#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int value = 3;

void leave(void) {
    pthread_exit(&value);
}

void *f(void *arg) {
    leave();
    reach_error();
    return NULL;
}

int main(void) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, &r);
    assert(*(int *)r == 3);
    return 0;
}
