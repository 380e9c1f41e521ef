#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

void *f(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    pthread_create(&t1, NULL, f, p);
    pthread_create(&t2, NULL, f, q);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(*p + *q == 2);
    return 0;
}
