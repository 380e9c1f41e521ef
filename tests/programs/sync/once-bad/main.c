#include <pthread.h>
#include <assert.h>

int done, calls;

void init(void) {
    calls++;
}

void *f(void *arg) {
    if (!done) {
        init();
        done = 1;
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(calls < 2);
    return 0;
}
