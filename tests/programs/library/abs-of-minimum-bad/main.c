#include <limits.h>
#include <stdlib.h>

int main(void) {
    int lowest = INT_MIN;
    return abs(lowest) < 0;
}
