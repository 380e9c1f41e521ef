#include <pthread.h>

int a[2], r[2];

void *f(void *arg) {
    long i = (long)arg;
    a[i] = 1;
    r[i] = a[1 - i];
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
