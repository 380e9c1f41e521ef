#include <pthread.h>
#include <assert.h>

struct acc { pthread_mutex_t m; int n; } a[2] = {{PTHREAD_MUTEX_INITIALIZER, 3}, {PTHREAD_MUTEX_INITIALIZER, 3}};

void transfer(struct acc *from, struct acc *to) {
    struct acc *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->m);
    pthread_mutex_lock(&second->m);
    from->n--;
    to->n++;
    pthread_mutex_unlock(&from->m);
    pthread_mutex_unlock(&to->m);
}

void *f(void *arg) {
    transfer(&a[0], &a[1]);
    return 0;
}

void *g(void *arg) {
    transfer(&a[1], &a[0]);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a[0].n + a[1].n == 6);
    return 0;
}
