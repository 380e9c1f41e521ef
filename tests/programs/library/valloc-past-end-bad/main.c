#define _GNU_SOURCE
#include <stdlib.h>

extern void *valloc(size_t);

int main(void) {
    char *page = valloc(16);
    page[100] = 1;
    free(page);
    return 0;
}
