#include <pthread.h>
#include <stdlib.h>

int *h;

void *release(void *arg) {
    free(h);
    return 0;
}

void *use(void *arg) {
    *h = 1;
    h = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    h = malloc(sizeof *h);
    if (h == 0) return 0;
    pthread_create(&t1, 0, release, 0);
    pthread_create(&t2, 0, use, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
