#include <pthread.h>
#include <assert.h>

void *f(void *arg) {
    return (void *)((long)arg * 2);
}

int main(void) {
    pthread_t t1, t2;
    void *r1, *r2;
    pthread_create(&t1, NULL, f, (void *)3L);
    pthread_create(&t2, NULL, f, (void *)4L);
    pthread_join(t1, &r1);
    pthread_join(t2, &r2);
    assert((long)r1 == 6 && (long)r2 == 8);
    return 0;
}
