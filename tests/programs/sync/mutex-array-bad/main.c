#include <pthread.h>
#include <assert.h>

pthread_mutex_t m[2];
int n;

void *f(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&m[i]);
    n = n + 1;
    pthread_mutex_unlock(&m[i]);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&m[i], NULL);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(n == 2);
    return 0;
}
