#include <assert.h>

unsigned words[4];

int main(void) {
    __asm__ volatile("btsl %1,%0" : "+m"(words[0]) : "r"(70) : "memory", "cc");
    assert(words[0] == 0 && words[2] == 64);
}
