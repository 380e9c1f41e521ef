#include <pthread.h>
#include <assert.h>

_Atomic unsigned c = 0xffffffffu;

void *f(void *arg) {
    c++;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(c > 0);
    return 0;
}
