#include <pthread.h>
#include <stdlib.h>

int *p;

void *frees(void *unused) {
    free(p);
    return unused;
}

int main(void) {
    pthread_t h;
    p = malloc(4);
    pthread_create(&h, 0, frees, 0);
    return 0; /* the program may end before the thread has freed the block */
}
