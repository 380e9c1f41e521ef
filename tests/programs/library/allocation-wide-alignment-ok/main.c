#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *first = malloc(8);
    char *line = aligned_alloc(64, 64);
    assert((uintptr_t)line % 64 == 0);
    free(line);
    free(first);
    return 0;
}
