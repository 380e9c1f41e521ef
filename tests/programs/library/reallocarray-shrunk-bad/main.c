#define _GNU_SOURCE
#include <stdlib.h>

int main(void) {
    int *numbers = calloc(4, sizeof(int));
    numbers = reallocarray(numbers, 2, sizeof(int));
    numbers[2] = 1;
    free(numbers);
    return 0;
}
