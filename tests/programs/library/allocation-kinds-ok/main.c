#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

extern void cfree(void *);

int main(void) {
    int *aligned = aligned_alloc(16, 4 * sizeof(int));
    aligned[1] = 1;
    int *placed = memalign(16, sizeof(int));
    *placed = 2;
    void *slot = NULL;
    assert(posix_memalign(&slot, 16, sizeof(int)) == 0);
    *(int *)slot = 3;
    int *grown = reallocarray(NULL, 2, sizeof(int));
    grown[0] = 4;
    grown = reallocarray(grown, 4, sizeof(int));
    grown[3] = 5;
    int *old = malloc(sizeof(int));
    *old = 6;

    assert((uintptr_t)aligned % 16 == 0 && (uintptr_t)placed % 16 == 0 && (uintptr_t)slot % 16 == 0);
    assert(aligned[1] == 1 && *placed == 2 && *(int *)slot == 3);
    assert(grown[0] == 4 && grown[3] == 5 && *old == 6);

    free(aligned);
    free(placed);
    free(slot);
    free(grown);
    cfree(old);
    return 0;
}
