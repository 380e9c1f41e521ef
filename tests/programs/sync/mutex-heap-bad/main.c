#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct acc {
    pthread_mutex_t m;
    int *n;
};
int n;

void *f(void *arg) {
    struct acc *a = arg;
    pthread_mutex_lock(&a->m);
    *a->n = *a->n + 1;
    pthread_mutex_unlock(&a->m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        struct acc *a = malloc(sizeof *a);
        pthread_mutex_init(&a->m, NULL);
        a->n = &n;
        pthread_create(&t[i], NULL, f, a);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(n == 2);
    return 0;
}
