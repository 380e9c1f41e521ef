#include <stdio.h>

int main(void) {
    char *format = 0;
    printf(format);
    return 0;
}
