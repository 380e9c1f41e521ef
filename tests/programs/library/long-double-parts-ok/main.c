#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
static char room[100];
#define IS(text, ...) (assert(snprintf(room, sizeof room, __VA_ARGS__) == sizeof text - 1), assert(!strcmp(room, text)))
int main(void) {
    volatile long double zero = 0;
    int e;
    assert(frexpl(48 + zero, &e) == 0.75L && e == 6);
    assert(frexpl(3.6e-4951L + zero, &e) == 0.5L && e == -16444);
    assert(ldexpl(0.75L + zero, 6) == 48 && scalbnl(1 + zero, 20000) == INFINITY && scalblnl(1 + zero, -16445L) == 3.6e-4951L);
    assert(ilogbl(0.2L + zero) == -3 && logbl(9 + zero) == 3);
    assert(nextafterl(1 + zero, 2) == 1 + 0x1p-63L && nextafterl(1 + zero, 0) == 1 - 0x1p-64L && nextafterl(zero, 1) == 3.6e-4951L);
    assert(remainderl(5 + zero, 2) == 1 && remainderl(3 + zero, 2) == -1 && dreml(10 + zero, 4) == 2);
    IS("3.1415926535897932385", "%.19Lf", 3.1415926535897932385L + zero);
    IS("-0.500 1.5e+10 1E-05 inf", "%.3Lf %.1Le %LG %Lf", -0.5L, 1.5e10L, 1e-5L, INFINITY + zero);
    IS("18446744073709551615  0.00", "%.0Lf %5.2Lf", 18446744073709551615.0L, zero);
    return 0;
}
