#include <pthread.h>
#include <stdlib.h>

int numbers[2] = {2, 1};

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

void *sort(void *arg) {
    qsort(numbers, 2, sizeof numbers[0], by_value);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sort, NULL);
    sort(NULL);
    pthread_join(t, NULL);
    return 0;
}
