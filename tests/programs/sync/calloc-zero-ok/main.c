#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct cell {
    pthread_mutex_t m;
    int n;
};

void *f(void *arg) {
    struct cell *c = arg;
    pthread_mutex_lock(&c->m);
    c->n++;
    pthread_mutex_unlock(&c->m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    struct cell *c = calloc(1, sizeof *c);
    pthread_create(&t1, NULL, f, c);
    pthread_create(&t2, NULL, f, c);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(c->n == 2);
    return 0;
}
