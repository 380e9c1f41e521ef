#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned a = 1, b = 3;
    long distance = labs(a - b);
    assert(distance == 2);
    return 0;
}
