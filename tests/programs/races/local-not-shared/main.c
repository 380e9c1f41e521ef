#include <pthread.h>
#include <assert.h>

void *f(void *arg) {
    int local = 0;
    int *p = &local;
    *p = *p + 1;
    assert(local == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
