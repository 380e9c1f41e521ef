#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done, value;

void *f(void *arg) {
    if (!done) {
        pthread_mutex_lock(&m);
        if (!done) {
            value = 42;
            done = 1;
        }
        pthread_mutex_unlock(&m);
    }
    assert(value == 42);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
