#include <stdlib.h>
#include <strings.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    bzero(cell, sizeof cell);
    free(cell);
    return 0;
}
