#include <pthread.h>
#include <stdlib.h>

void *f(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    int *p = malloc(sizeof *p);
    pthread_create(&t1, NULL, f, p);
    pthread_create(&t2, NULL, f, p);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    free(p);
    return 0;
}
