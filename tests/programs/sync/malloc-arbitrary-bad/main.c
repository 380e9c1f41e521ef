#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

unsigned char *p;

void *f(void *arg) {
    p = malloc(1);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(*p == 0);
    return 0;
}
