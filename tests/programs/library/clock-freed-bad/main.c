#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec *now = malloc(sizeof *now);
    free(now);
    clock_gettime(CLOCK_MONOTONIC, now);
    return 0;
}
