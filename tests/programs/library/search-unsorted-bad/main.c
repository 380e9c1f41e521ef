#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[3] = {9, 5, 1}, wanted = 9;
    int *found = bsearch(&wanted, numbers, 3, sizeof numbers[0], by_value);
    assert(found != NULL);
    return 0;
}
