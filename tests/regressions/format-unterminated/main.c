#include <stdio.h>

char format[2] = {'%', 'd'};

int main(void) {
    fprintf(stderr, format, 5);
    return 0;
}
