#include <pthread.h>
#include <assert.h>

pthread_key_t key;
int a, b;

void *f(void *arg) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_key_create(&key, NULL);
    pthread_create(&t1, NULL, f, &a);
    pthread_create(&t2, NULL, f, &b);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(pthread_getspecific(key) == NULL);
    return 0;
}
