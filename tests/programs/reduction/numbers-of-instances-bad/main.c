#include <pthread.h>
#include <assert.h>

int x;

void *writes(void *arg) {
    x = (int)(long)arg;
    return NULL;
}

void *f(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, writes, (void *)1L);
    pthread_join(t, NULL);
    return NULL;
}

void *g(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, writes, (void *)2L);
    pthread_join(t, NULL);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x != 1);
    return 0;
}
