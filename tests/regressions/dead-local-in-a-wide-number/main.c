#include <stdint.h>

static uint64_t make(void) {
    int local = 1;
    return (uint64_t)(uintptr_t)&local << 32 | 7;
}

static int use(uint64_t given) {
    int other = 2, *to_other = &other;
    *to_other = 3;
    return *(int *)(uintptr_t)(given >> 32);
}

int main(void) { return use(make()); }
