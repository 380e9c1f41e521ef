#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c, tries;

void *f(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        c++;
        pthread_mutex_unlock(&m);
    } else {
        tries = 1;
    }
    if (pthread_mutex_trylock(&m) == 0) {
        c++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(&m);
    c++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(tries == 1 && c == 2));
    return 0;
}
