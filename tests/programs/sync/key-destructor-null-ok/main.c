#include <pthread.h>
#include <assert.h>

pthread_key_t key;
int runs;

void gone(void *p) {
    runs++;
}

void *f(void *arg) {
    pthread_setspecific(key, &runs);
    pthread_setspecific(key, NULL);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, gone);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(runs == 0);
    return 0;
}
