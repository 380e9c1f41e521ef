#include <pthread.h>
#include <assert.h>

int x;

void *writer(void *arg) {
    x = 5;
    return 0;
}

void *joiner(void *arg) {
    pthread_join(*(pthread_t *)arg, NULL);
    assert(x == 5);
    return 0;
}

int main(void) {
    pthread_t w, j;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&j, NULL, joiner, &w);
    pthread_join(j, NULL);
    assert(x == 5);
    return 0;
}
