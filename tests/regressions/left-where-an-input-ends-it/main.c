#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int *block;

void *work(void *arg) {
    int size = __VERIFIER_nondet_int();
    if (size < 0 || size > 9)
        exit(1);
    *block = size;
    return 0;
}

int main(void) {
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    free(block);
    return 0;
}
