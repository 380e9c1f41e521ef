#include <pthread.h>
#include <assert.h>

pthread_t t;
int same;

void *f(void *arg) {
    same = pthread_equal(t, pthread_self());
    return 0;
}

int main(void) {
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(same);
    return 0;
}
