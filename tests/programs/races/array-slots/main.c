#include <pthread.h>
#include <assert.h>

int a[2];

void *f(void *arg) {
    a[(long)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a[0] + a[1] == 2);
    return 0;
}
