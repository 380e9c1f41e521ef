#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct acc {
    pthread_mutex_t m;
    int n;
};

void *f(void *arg) {
    struct acc *a = arg;
    pthread_mutex_lock(&a->m);
    a->n = a->n + 1;
    pthread_mutex_unlock(&a->m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    struct acc *a = malloc(sizeof *a);
    pthread_mutex_init(&a->m, NULL);
    a->n = 0;
    pthread_create(&t1, NULL, f, a);
    pthread_create(&t2, NULL, f, a);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a->n == 2);
    free(a);
    return 0;
}
