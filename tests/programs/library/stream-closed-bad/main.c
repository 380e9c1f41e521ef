#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    fclose(file);
    return fgetc(file) == 1;
}
