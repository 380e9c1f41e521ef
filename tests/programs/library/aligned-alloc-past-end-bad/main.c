#include <stdlib.h>

int main(void) {
    char *block = aligned_alloc(16, 32);
    block[32] = 1;
    free(block);
    return 0;
}
