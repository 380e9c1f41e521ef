#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *child(void *arg) {
    pthread_mutex_lock(&m);
    int seen = x;
    x = 7;
    pthread_mutex_unlock(&m);
    if (seen == 5)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int() > 3) {
        x = 5;
        pthread_mutex_unlock(&m);
        return 0;
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    return 0;
}
