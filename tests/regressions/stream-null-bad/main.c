#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "w");
    fprintf(stderr, "opened\n");
    fputs("text", file);
    return 0;
}
