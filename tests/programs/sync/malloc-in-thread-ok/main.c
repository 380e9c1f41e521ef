#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int sum[2];

void *f(void *arg) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    sum[(long)arg] = p[0] + p[1];
    free(p);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum[0] + sum[1] == 6);
    return 0;
}
