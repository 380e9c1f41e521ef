#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    return *(const int *)b - *(const int *)a;
}

int main(void) {
    int numbers[3] = {2, 1, 3};
    qsort(numbers, 3, sizeof numbers[0], by_value);
    assert(numbers[0] <= numbers[1] && numbers[1] <= numbers[2]);
    return 0;
}
