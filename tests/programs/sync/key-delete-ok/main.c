#include <pthread.h>
#include <assert.h>

pthread_key_t key;
int cell;

void gone(void *p) {
    *(int *)p = 9;
}

void *f(void *arg) {
    pthread_setspecific(key, &cell);
    cell = 1;
    pthread_key_delete(key);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, gone);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(cell == 1);
    return 0;
}
