#include <assert.h>
#include <stdio.h>

int main(void) {
    int number;
    if (fscanf(stdin, "%d", &number) == 1)
        assert(number != 42);
    return 0;
}
