#include <limits.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[2] = {INT_MAX, -1};
    qsort(numbers, 2, sizeof numbers[0], by_value);
    return 0;
}
