#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int *shared;

void *f(void *arg) {
    shared = malloc(sizeof *shared);
    *shared = (int)(long)arg;
    assert(*shared == (int)(long)arg);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, (void *)1L);
    pthread_create(&t2, NULL, f, (void *)2L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
