#include <pthread.h>
#include <assert.h>

pthread_t me;

void *f(void *arg) {
    me = pthread_self();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(pthread_equal(me, t1));
    assert(!pthread_equal(me, pthread_self()));
    return 0;
}
