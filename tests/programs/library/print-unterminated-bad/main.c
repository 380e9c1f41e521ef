#include <stdio.h>

int main(void) {
    char letters[3] = {'a', 'b', 'c'};
    fprintf(stderr, "%d %s\n", 1, letters);
    return 0;
}
