#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

extern long __strtol_internal(const char *text, char **end, int base, int group);
extern long long __strtoll_internal(const char *text, char **end, int base, int group);
extern unsigned long __strtoul_internal(const char *text, char **end, int base, int group);
extern unsigned long long __strtoull_internal(const char *text, char **end, int base, int group);
extern long long strtoq(const char *text, char **end, int base);
extern unsigned long long strtouq(const char *text, char **end, int base);

static void signed_numbers(void) {
    char *end;
    const char *text = " \t-12xyz";
    assert(strtol(text, &end, 10) == -12 && *end == 'x');
    assert(strtol("0x1fg", &end, 0) == 31 && *end == 'g');
    assert(strtol("0x", &end, 16) == 0 && *end == 'x');
    assert(strtol("077", NULL, 0) == 63 && strtol("zz", NULL, 36) == 1295 && strtol("+7", NULL, 10) == 7);
    text = "  none";
    assert(strtol(text, &end, 10) == 0 && end == text && errno == 0);
    assert(strtol("9223372036854775807", NULL, 10) == LONG_MAX && errno == 0);
    assert(strtol("-9223372036854775808", NULL, 10) == LONG_MIN && errno == 0);
    assert(strtol("9223372036854775808", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtoll("-99999999999999999999", NULL, 10) == LLONG_MIN && errno == ERANGE);
    errno = 0;
    assert(strtol("1", NULL, 1) == 0 && errno == EINVAL);
    assert(strtoimax("-5", NULL, 10) == -5 && strtoq("6", NULL, 10) == 6 && __strtol_internal("7", NULL, 10, 0) == 7);
    assert(atoi("-2147483648") == INT_MIN && atol("42") == 42 && atoll("-9223372036854775808") == LLONG_MIN);
}

static void unsigned_numbers(void) {
    errno = 0;
    assert(strtoul("18446744073709551615", NULL, 10) == ULONG_MAX && errno == 0);
    assert(strtoul("-1", NULL, 10) == ULONG_MAX && errno == 0);
    assert(strtoull("18446744073709551616", NULL, 10) == ULLONG_MAX && errno == ERANGE);
    assert(__strtoll_internal("1", NULL, 10, 0) + __strtoul_internal("2", NULL, 10, 0) == 3);
    assert(__strtoull_internal("4", NULL, 10, 0) == 4);
    assert(strtoumax("ff", NULL, 16) == 255 && strtouq("9", NULL, 10) == 9);
}

static void floats(void) {
    char *end;
    errno = 0;
    assert(strtod("1.5e3xyz", &end) == 1500.0 && *end == 'x');
    assert(strtod("0.1", NULL) == 0.1 && strtod("-.5", NULL) == -0.5 && atof("123456789.125") == 123456789.125);
    assert(strtod("9007199254740993", NULL) == 9007199254740992.0);
    assert(strtod("9007199254740993.0000000000000000000001", NULL) == 9007199254740994.0);
    assert(strtod("0x1.8p1", NULL) == 3.0 && strtof("0.1", NULL) == 0.1f);
    assert(strtod("inf", NULL) == HUGE_VAL && strtod("-Infinity", NULL) == -HUGE_VAL && isnan(strtod("nan", NULL)));
    assert(strtod("1e", &end) == 1.0 && *end == 'e' && errno == 0);
    assert(strtod("4.9406564584124654e-324", NULL) > 0 && errno == ERANGE);
    errno = 0;
    assert(strtod("1e400", NULL) == HUGE_VAL && errno == ERANGE);
}

int main(void) {
    signed_numbers();
    unsigned_numbers();
    floats();
    return 0;
}
