#include <stdlib.h>

int main(void) {
    int *p = calloc(1UL << 62, sizeof(int));
    if (!p)
        return 1;
    p[0] = 1;
    free(p);
    return 0;
}
