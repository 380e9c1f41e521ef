#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    unsigned char i = 0;
    while (1)
        i++;
}

void *g(void *arg) {
    assert(x == 1);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    return 0;
}
