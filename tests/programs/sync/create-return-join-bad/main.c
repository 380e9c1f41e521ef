#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int n;

void *f(void *arg) {
    n = n + 1;
    return (void *)(long)n;
}

int main(void) {
    pthread_t t1, t2;
    void *r1, *r2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, &r1);
    pthread_join(t2, &r2);
    if ((long)r1 != 2 && (long)r2 != 2)
        reach_error();
    return 0;
}
