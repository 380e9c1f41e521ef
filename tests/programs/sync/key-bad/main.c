#include <pthread.h>
#include <assert.h>

pthread_key_t key;
int a;

void *f(void *arg) {
    assert(pthread_getspecific(key) == &a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &a);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
