#include <pthread.h>
#include <stdlib.h>

extern void cfree(void *);
char *block;

void *release(void *arg) {
    if (block != NULL) {
        cfree(block);
        block = NULL;
    }
    return 0;
}

int main(void) {
    block = malloc(1);
    pthread_t t;
    pthread_create(&t, NULL, release, NULL);
    release(NULL);
    pthread_join(t, NULL);
    return 0;
}
