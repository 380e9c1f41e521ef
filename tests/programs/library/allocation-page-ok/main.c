#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

extern void *valloc(size_t);

int main(void) {
    char *page = valloc(100);
    page[99] = 'x';
    assert(page[99] == 'x');
    free(page);
    return 0;
}
