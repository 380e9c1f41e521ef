#include <malloc.h>
#include <stdlib.h>

extern void cfree(void *);

int main(void) {
    int *block = memalign(16, sizeof(int));
    *block = 1;
    free(block);
    cfree(block);
    return 0;
}
