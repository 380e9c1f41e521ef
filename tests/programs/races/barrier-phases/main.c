#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int a[2];

void *f(void *arg) {
    long i = (long)arg;
    a[i] = 1;
    pthread_barrier_wait(&b);
    assert(a[1 - i] == 1);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
