#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int left[2] = {2, 1}, right[2] = {4, 3};

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

void *sort(void *numbers) {
    qsort(numbers, 2, sizeof(int), by_value);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sort, left);
    sort(right);
    pthread_join(t, NULL);
    assert(left[0] == 1 && left[1] == 2 && right[0] == 3 && right[1] == 4);
    return 0;
}
