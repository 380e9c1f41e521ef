#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

int main(void) {
    char letters[3] = {'c', 'b', 'a'};
    qsort(letters, 4, 1, by_value);
    return 0;
}
