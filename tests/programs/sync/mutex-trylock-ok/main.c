#include <pthread.h>
#include <assert.h>

int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        n = n + 1;
        assert(n == 1);
        n = n - 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 0);
    return 0;
}
