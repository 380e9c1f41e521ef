#include <assert.h>
#include <math.h>

int main(void) {
    volatile double x = 2;
    volatile int wanted = 0;
    double y = wanted ? pow(x, 2) : x * x;
    assert(y == 4);
    return 0;
}
