#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

static int use(void) {
    void *block;
    if (posix_memalign(&block, 16, 4) != 0)
        return 0;
    *(char *)block = 1;
    return *(char *)block;
}

int main(void) {
    assert(use() == 1);
    return 0;
}
