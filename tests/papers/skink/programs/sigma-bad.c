#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

#define SIGMA 16
int *array, place = -1;

static void *thread(void *arg) {
    array[place] = 1;
    return 0;
}

int main(void) {
    pthread_t *t = malloc(sizeof(pthread_t) * SIGMA);
    array = malloc(sizeof(int) * SIGMA);
    if (!t || !array)
        return 0;
    for (int i = 0; i < SIGMA; i++) {
        array[i] = 0;
        place++;
        pthread_create(&t[i], 0, thread, 0);
    }
    for (int i = 0; i < SIGMA; i++)
        pthread_join(t[i], 0);
    int sum = 0;
    for (int i = 0; i < SIGMA; i++)
        sum += array[i];
    assert(sum == SIGMA);
    return 0;
}
