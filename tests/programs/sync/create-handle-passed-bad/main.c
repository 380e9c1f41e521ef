#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int x;

void *writer(void *arg) {
    x = 5;
    return 0;
}

void *joiner(void *arg) {
    pthread_join(*(pthread_t *)arg, NULL);
    return 0;
}

int main(void) {
    pthread_t w, j;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&j, NULL, joiner, &w);
    if (x == 5)
        reach_error();
    pthread_join(j, NULL);
    return 0;
}
