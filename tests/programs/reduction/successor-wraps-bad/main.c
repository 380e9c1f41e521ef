#include <pthread.h>
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char x, y;

void *f(void *arg) {
    x = __VERIFIER_nondet_uchar();
    return NULL;
}

void *g(void *arg) {
    unsigned char was = x;
    unsigned char next = was + 1;
    y = next > was;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(y == 1);
    return 0;
}
