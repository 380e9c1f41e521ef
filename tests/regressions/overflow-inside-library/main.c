#include <limits.h>
#include <stdlib.h>

int (*magnitude)(int) = abs;

int main(void) {
    return magnitude(INT_MIN);
}
