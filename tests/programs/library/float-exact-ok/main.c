// Exact functions of math.h; the values are those that gcc and glibc give.
#define _GNU_SOURCE
#include <assert.h>
#include <fenv.h>
#include <math.h>

volatile double zero = 0, third = 1.0 / 3;
volatile float zerof = 0;

int same(double x, double y) { return x != x ? y != y : x == y && signbit(x) == signbit(y); }

void rounding(void)
{
    assert(same(round(2.5 + zero), 3) && same(round(-2.5 + zero), -3) && same(round(0.49999999999999994 + zero), 0));
    assert(same(round(-0.3 + zero), -0.0) && same(round(4503599627370497.0 + zero), 4503599627370497.0));
    assert(same(rint(2.5 + zero), 2) && same(rint(3.5 + zero), 4) && same(rint(-0.5 + zero), -0.0));
    assert(same(nearbyint(-1.5 + zero), -2) && same(round(INFINITY + zero), INFINITY) && isnan(rint(NAN + zero)));
    assert(roundf(2.5f + zerof) == 3 && rintf(8388607.5f + zerof) == 8388608.0f && nearbyintf(0.5f + zerof) == 0);
    assert(lround(-2.5 + zero) == -3 && llround(2.4 + zero) == 2 && lrint(2.5 + zero) == 2 && llrint(-3.5 + zero) == -4);
    assert(lroundf(1.5f + zerof) == 2 && lrintf(1.5f + zerof) == 2 && llroundf(0.5f + zerof) == 1 && llrintf(0.5f + zerof) == 0);
    assert(floor(-0.5 + zero) == -1 && ceil(0.2 + zero) == 1 && trunc(-1.7 + zero) == -1);
}

void parts(void)
{
    int e;
    double w;
    float wf;
    assert(same(modf(-3.75 + zero, &w), -0.75) && w == -3 && same(modf(-INFINITY + zero, &w), -0.0) && isinf(w));
    assert(modff(2.25f + zerof, &wf) == 0.25f && wf == 2);
    assert(frexp(48.0 + zero, &e) == 0.75 && e == 6 && frexp(5e-324 + zero, &e) == 0.5 && e == -1073);
    assert(frexpf(-0.125f + zerof, &e) == -0.5f && e == -2);
    assert(ldexp(0.75, 6) == 48 && ldexp(1 + third, -1074) == 5e-324 && scalbn(3.0 + zero, -1075) == 1e-323 && ldexp(1.0, 5000) == INFINITY);
    assert(scalbln(5e-324 + zero, 2000L) == ldexp(1.0, 926) && scalbnf(1.5f, -149) == 2.8e-45f && ldexpf(1.0f, 3) == 8 && scalblnf(1, 2L) == 4);
    assert(logb(0.2 + zero) == -3 && ilogb(1e300 + zero) == 996 && ilogb(zero) == FP_ILOGB0 && logbf(9.0f + zerof) == 3 && ilogbf(0.1f + zerof) == -4);
    assert(nextafter(1.0 + zero, 2) == 1 + 2.220446049250313e-16 && nextafter(zero, -1) == -5e-324 && nextafterf(1.0f + zerof, 0) == 0.99999994f);
}

void remainders(void)
{
    assert(same(fmod(5.5 + zero, 2), 1.5) && same(fmod(-6.0 + zero, 3), -0.0) && isnan(fmod(1.0, zero)) && fmodf(7.5f + zerof, 2) == 1.5f);
    assert(remainder(5.0 + zero, 2) == 1 && remainder(3.0 + zero, 2) == -1 && same(remainder(-4.0 + zero, 2), -0.0));
    assert(remainder(5.5 + zero, 1e308 * 1.7) == 5.5 && remainderf(7.0f + zerof, 4) == -1 && drem(10.0 + zero, 4) == 2);
    assert(fdim(3.0 + zero, 1) == 2 && fdim(1.0 + zero, 3) == 0 && fdimf(2.5f + zerof, 1) == 1.5f);
    assert(fmin(NAN + zero, 2) == 2 && fmax(1.0 + zero, 2) == 2 && copysign(3.0 + zero, -0.0) == -3);
    assert(fpclassify(5e-324 + zero) == FP_SUBNORMAL && isfinite(1.0 + zero) && !isnormal(zero) && fegetround() == FE_TONEAREST);
}

void fused(void)
{
    assert(fma(0x1.0000000000001p0 + zero, 0x1.0000000000001p0, -0x1.0000000000002p0) == 0x1p-104);
    assert(fma(0x1p-600 + zero, 0x1p-500, 0x1p-1074) == 0x1p-1074 && isinf(fma(0x1p1000 + zero, 0x1p1000, -1)));
    assert(same(fma(3 + zero, 5, -15), 0) && isnan(fma(INFINITY + zero, 1, -INFINITY)) && fma(2 + zero, 3, -INFINITY) < 0);
    assert(same(fma(-0x1p-1074 + zero, 0x1p-10, zero), -0.0) && fmaf(0x1.000002p0f + zerof, 0x1.000002p0f, -0x1.000004p0f) == 0x1p-46f);
}

int main(void)
{
    fused();
    rounding();
    parts();
    remainders();
    return 0;
}
