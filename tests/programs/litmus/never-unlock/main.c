#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int who;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    who = (int)(long)arg;
    if (who == 2)
        reach_error();
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
