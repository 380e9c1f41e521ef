#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    volatile double x = 2, big = 1000;
    volatile float one = 1;
    volatile long double two = 2;
    assert(powl(two, 3) == 8 && fabsl(sinl(two) - sin(2)) < 1e-15L && fmal(two, two, 1) == 5);
    assert(pow(x, 2) == 4 && exp2(x) == 4 && hypot(3, 4) == 5);
    assert(fabs(sin(x) * sin(x) + cos(x) * cos(x) - 1) < 1e-15);
    assert(expf(one) > 2.718281f && expf(one) < 2.718283f && atan2f(0, one) == 0);
    assert(errno == 0 && isinf(exp(big)) && errno == ERANGE);
    double sine, cosine;
    int quotient;
    sincos(x, &sine, &cosine);
    assert(sine == sin(x) && cosine == cos(x) && remquo(7 * x, 4, &quotient) == -2 && quotient == 4);
    errno = 0;
    assert(isnan(log(-x)) && errno == EDOM);
    return 0;
}
