#include <pthread.h>
#include <assert.h>

_Atomic unsigned char c = 254;

void *f(void *arg) {
    c++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(c == 0);
    return 0;
}
