#include <string.h>

int main(void) {
    char a[2] = "x", b[8] = "y";
    return memcmp(a, b, 4) == 0;
}
