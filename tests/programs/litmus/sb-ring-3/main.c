#include <pthread.h>
#include <assert.h>

_Atomic int v[3];
int r[3];

void *f(void *arg) {
    long i = (long)arg;
    v[i] = 1;
    r[i] = v[(i + 1) % 3];
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(r[0] + r[1] + r[2] > 0);
    return 0;
}
