#include <assert.h>

int main(void)
{
    _Atomic _Bool b = 0;
    volatile double half = 0.5;
    b += 2;
    assert(b == 1);
    b -= 1;
    assert(b == 0);
    b -= 1;
    assert(b == 1);
    b += 256;
    assert(b == 1);
    _Bool told = b ^= 1;
    assert(told == 0);
    b += half;
    assert(b == 1);
    return 0;
}
