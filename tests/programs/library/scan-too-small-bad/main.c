#include <stdio.h>
#include <stdlib.h>

int main(void) {
    short *number = malloc(sizeof *number);
    fscanf(stdin, "%d", (int *)number);
    free(number);
    return 0;
}
