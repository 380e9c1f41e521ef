#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *writer(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *other(void *arg) {
    pthread_mutex_lock(&m);
    y = y + 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    _Bool c = __VERIFIER_nondet_bool();
    pthread_t t, u;
    pthread_create(&u, 0, other, 0);
    if (c)
        pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    int first = 0;
    if (c) {
        pthread_join(t, 0);
        first = y;
    }
    int second = x;
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y = first + second;
    pthread_mutex_unlock(&m);
    pthread_join(u, 0);
    pthread_mutex_lock(&m);
    int last = y;
    pthread_mutex_unlock(&m);
    if (!c && second == 0 && last != 77)
        reach_error();
    return 0;
}
