#include <pthread.h>
#include <assert.h>

int a = 1, b = 2;

void *f(void *arg) {
    int *p = arg;
    *p = *p + 10;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, &a);
    pthread_create(&t2, NULL, f, &b);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a == 11 && b == 12);
    return 0;
}
