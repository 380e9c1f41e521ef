#include <string.h>

int main(void) {
    char block[4] = {1, 2, 3, 4};
    return memchr(block, 5, sizeof block + 1) != NULL;
}
