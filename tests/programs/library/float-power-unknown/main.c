#include <assert.h>
#include <math.h>

int main(void) {
    volatile double x = 2;
    assert(pow(x, 2) == 4);
    return 0;
}
