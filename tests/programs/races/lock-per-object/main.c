#include <pthread.h>
#include <assert.h>

struct acc {
    pthread_mutex_t m;
    int n;
} a[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

void add(struct acc *p, int d) {
    pthread_mutex_lock(&p->m);
    p->n += d;
    pthread_mutex_unlock(&p->m);
}

void *f(void *arg) {
    add(&a[0], -1);
    add(&a[1], 1);
    return 0;
}

void *g(void *arg) {
    add(&a[1], -1);
    add(&a[0], 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a[0].n == 5 && a[1].n == 5);
    return 0;
}
