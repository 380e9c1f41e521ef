#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <float.h>
#include <string.h>
long double g = 0.1L, h = 3;
long double twice(long double x) { return x * 2; }
static unsigned long long low(long double x) { unsigned long long b; memcpy(&b, &x, 8); return b; }
static unsigned short high(long double x) { unsigned short b; memcpy(&b, (char *)&x + 8, 2); return b; }
int main(void) {
  struct { char c; long double v; } s = {1, 2.5L};
  volatile long double z = 0;
  assert(low(g) == 0xcccccccccccccccdULL && high(g) == 0x3ffb);
  assert(low(g / h) == 0x8888888888888889ULL && high(g / h) == 0x3ffa);
  assert(low(g * g * h - g) == 0x8f5c28f5c28f5c29ULL && high(g * g * h - g) == 0xbffb);
  assert(low(sqrtl(h)) == 0xddb3d742c265539eULL && high(sqrtl(h)) == 0x3fff);
  assert((double)g == 0.1 && (float)g == 0.1f && g != 0.1);
  assert((int)(s.v * 3) == 7 && (unsigned long long)(1e18L + 1) == 1000000000000000001ULL);
  assert((long double)0xffffffffffffffffULL == 18446744073709551615.0L && (long double)-5 < 0);
  assert(floorl(-s.v) == -3 && ceill(-s.v) == -2 && truncl(-s.v) == -2 && fabsl(-g) == g && fmodl(7.5L, 2) == 1.5L);
  assert(LDBL_MAX * 2 == INFINITY && isinf(1 / z) && isnan(z / z) && !isnan(g) && isfinite(LDBL_MAX) && !isnormal(LDBL_MIN / 2));
  assert(low(LDBL_MIN / 3) == 0x2aaaaaaaaaaaaaabULL && high(LDBL_MIN / 3) == 0);
  assert(signbit(-z) && !signbit(z) && -z == z && fmaxl(g, h) == h && copysignl(h, -g) == -3);
  assert(twice(g) == 0.2L && 1.0L + LDBL_EPSILON / 2 == 1.0L && 1.0L + LDBL_EPSILON > 1);
  long double whole;
  assert(modfl(-s.v, &whole) == -0.5L && whole == -2 && fdiml(h, g) == h - g && fdiml(g, h) == 0);
  assert(roundl(s.v) == 3 && rintl(s.v) == 2 && nearbyintl(-s.v) == -2 && roundevenl(3.5L) == 4);
  assert(lroundl(-s.v) == -3 && llroundl(s.v) == 3 && lrintl(s.v) == 2 && llrintl(3.5L) == 4);
  return 0;
}
