#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int n;
int got[2];

void *f(void *arg) {
    got[(long)arg] = atomic_fetch_add(&n, 1);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(got[0] != got[1] && n == 2);
    return 0;
}
