#include <pthread.h>
#include <assert.h>

unsigned x;

void *f(void *arg) {
    ((unsigned char *)&x)[0] = 1;
    return 0;
}

void *g(void *arg) {
    ((unsigned char *)&x)[1] = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 0x0201);
    return 0;
}
