#define _GNU_SOURCE
#include <sys/mman.h>

int main(void) {
    int *p = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p[0] = 1;
    return 0;
}
