#include <pthread.h>
#include <assert.h>

pthread_t id[2];

void *f(void *arg) {
    id[(long)arg] = pthread_self();
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!pthread_equal(id[0], id[1]));
    return 0;
}
