#include <pthread.h>
#include <assert.h>

struct acc { pthread_mutex_t m; int n; } x = {PTHREAD_MUTEX_INITIALIZER, 3}, y = {PTHREAD_MUTEX_INITIALIZER, 3};

void transfer(struct acc *from, struct acc *to) {
    pthread_mutex_lock(&from->m);
    pthread_mutex_lock(&to->m);
    from->n--;
    to->n++;
    pthread_mutex_unlock(&to->m);
    pthread_mutex_unlock(&from->m);
}

void *f(void *arg) {
    transfer(&x, &y);
    return 0;
}

void *g(void *arg) {
    transfer(&y, &x);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x.n + y.n == 6);
    return 0;
}
