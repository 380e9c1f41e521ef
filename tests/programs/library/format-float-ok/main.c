#include <assert.h>
#include <stdio.h>
#include <string.h>

static char room[400];

#define IS(text, ...) (assert(snprintf(room, sizeof room, __VA_ARGS__) == sizeof text - 1), assert(!strcmp(room, text)))

int main(void) {
    double zero = 0.0;
    IS("3.141593 -0.500000 2", "%f %f %.0f", 3.14159265358979, -0.5, 2.5);
    IS("0.1000000000000000055511151231257827", "%.34f", 0.1);
    IS("1.234568e+06 9.99E-05 1e+100", "%e %.2E %.0e", 1234567.89, 0.0000999, 1e100);
    IS("0.0001 1e-05 100000 1e+06 1.5 1.50000", "%g %g %g %g %g %#g", 1e-4, 1e-5, 1e5, 1e6, 1.5, 1.5);
    IS("0x1.8p+1 0x1.999999999999ap-4 0x0p+0 0x1.0p-1", "%a %a %a %.1a", 3.0, 0.1, 0.0, 0.5);
    IS("   1.50|1.50   |+001.50", "%7.2f|%-7.2f|%+07.2f", 1.5, 1.5, 1.5);
    IS("inf  -INF nan", "%f %5G %e", 1 / zero, -1 / zero, __builtin_nan(""));
    IS("5e-324 1.7976931348623157e+308", "%.0e %.17g", 4.9406564584124654e-324, 1.7976931348623157e308);
    return 0;
}
