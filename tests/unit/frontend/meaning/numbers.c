#include <assert.h>
#include <math.h>

int main(void)
{
    unsigned z = 0x00f0;
    assert(__builtin_popcount(0xF0F0F0F1u) == 17 && __builtin_popcountll(~0ull) == 64);
    assert(__builtin_clz(z) == 24 && __builtin_ctz(z) == 4 && __builtin_clzll(1ull << 40) == 23);
    assert(__builtin_bswap32(0x12345678) == 0x78563412 && __builtin_bitreverse8(0xC1) == 0x83);
    assert(__builtin_rotateleft32(z, 28) == 0x0000000Fu && __builtin_rotateleft32(z, 0) == z);
    int k = 7, o;
    unsigned u;
    long long l;
    assert(__builtin_add_overflow(2147483647, k, &o) && !__builtin_add_overflow(1, k, &o) && o == 8);
    assert(__builtin_sub_overflow(-2147483647 - 1, k, &o) && __builtin_mul_overflow(65536, 65536 + k, &o));
    assert(__builtin_sub_overflow(1u, 2u, &u) && __builtin_mul_overflow(1u << 31, 2u, &u));
    assert(!__builtin_mul_overflow(3u, 2u, &u) && u == 6);
    assert(__builtin_mul_overflow(1ll << 62, 2ll, &l) && !__builtin_mul_overflow(-(1ll << 62), 2ll, &l));
    signed char c = -1;
    int neg = -7;
    assert((unsigned char)c == 255 && c >> 1 == -1 && neg / 2 == -3 && neg % 3 == -1 && (unsigned)neg % 5 == 4);
    volatile double n = NAN, i = INFINITY, zero = 0.0, m = -1.5, tiny = 5e-324;
    volatile float f = NAN;
    assert(isnan(n) && !isnan(i) && isinf(i) && isinf(-i) && !isinf(m) && isfinite(m) && isnan(f));
    assert(isnormal(m) && !isnormal(tiny) && !isnormal(zero) && signbit(m) && !signbit(zero));
    assert(fmax(m, n) == -1.5 && fmax(n, m) == -1.5 && fmin(1.0, m) == -1.5 && copysign(3.0, m) == -3.0);
    assert(sqrt(4.0 + zero) == 2.0 && fabs(m) == 1.5 && floor(m) == -2.0 && ceil(m) == -1.0 && trunc(m) == -1.0);
    assert(n != n && !(n < 1) && !(n >= 1) && (int)m == -1 && (float)0.1 != 0.1);
    _Complex double complex = 1.0 + 2.0i;
    assert(__imag__(complex + complex) == 4.0);
}
