#include <pthread.h>
#include <assert.h>

_Atomic int x;

void *f(void *arg) {
    x = (int)(long)arg;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, f, (void *)1L);
    pthread_create(&t2, NULL, f, (void *)2L);
    pthread_create(&t3, NULL, f, (void *)3L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(x != 1);
    return 0;
}
