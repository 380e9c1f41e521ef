#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>

#define LEAVES(error, call)                                                                                            \
    errno = 0;                                                                                                         \
    call;                                                                                                              \
    assert(errno == error)

int main(void)
{
    volatile double none = 0, less = -1, most = DBL_MAX;
    volatile long double wide = -1;
    LEAVES(EDOM, sqrt(less));
    LEAVES(EDOM, sqrtf(less));
    LEAVES(EDOM, sqrtl(wide));
    LEAVES(0, sqrt(-none));
    LEAVES(EDOM, fmod(1, none));
    LEAVES(EDOM, fmodf(1, none));
    LEAVES(EDOM, fmodl(1, none));
    LEAVES(0, fmod(NAN, none));
    LEAVES(EDOM, remainder(1, none));
    LEAVES(EDOM, ilogb(none));
    LEAVES(ERANGE, ldexp(1, 5000));
    LEAVES(ERANGE, scalbnf(1, -500));
    LEAVES(0, ldexp(1, -1074));
    LEAVES(ERANGE, nextafter(most, INFINITY));
    LEAVES(ERANGE, fdim(most, -most));
    return 0;
}
