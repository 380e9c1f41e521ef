#include <assert.h>
#include <stdarg.h>

struct big { int a[20]; double d; };
struct small { char c; short s; };
struct mixed { double d; long l; };

static int sum_twice(int n, ...)
{
    va_list ap, copy;
    int total = 0;
    va_start(ap, n);
    va_copy(copy, ap);
    for (int i = 0; i < n; i++)
        total += va_arg(ap, int);
    va_end(ap);
    total *= 10;
    for (int i = 0; i < n; i++)
        total += va_arg(copy, int);
    va_end(copy);
    return total;
}

static double add_all(const char *kinds, ...)
{
    va_list ap;
    double total = 0;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': total += va_arg(ap, int); break;
        case 'd': total += va_arg(ap, double); break;
        case 'l': total += va_arg(ap, long long); break;
        case 'p': total += *va_arg(ap, int *); break;
        case 'b': { struct big b = va_arg(ap, struct big); total += b.a[1] + b.d; break; }
        case 's': { struct small s = va_arg(ap, struct small); total += s.c + s.s; break; }
        case 'm': { struct mixed m = va_arg(ap, struct mixed); total += m.d + m.l; break; }
        }
    va_end(ap);
    return total;
}

static int second(int n, va_list ap)
{
    va_arg(ap, int);
    return va_arg(ap, int) + n;
}

static int through_list(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int result = second(n, ap);
    va_end(ap);
    return result;
}

int main(void)
{
    int seven = 7;
    struct big b = { { 1, 2 }, 1.5 };
    struct small s = { 2, 1 };
    struct mixed m = { 5.25, 4 };
    assert(sum_twice(3, 1, 2, 3) == 66);
    assert(sum_twice(0) == 0);
    assert(sum_twice(8, 1, 1, 1, 1, 1, 1, 1, 1) == 88);
    assert(add_all("idlpi", 1, 2.5, 1ll << 33, &seven, -1) == 2.5 + (double)(1ll << 33) + 7);
    assert(add_all("ibsmi", 1, b, s, m, 5) == 1 + 3.5 + 3 + 9.25 + 5);
    assert(through_list(3, 4, 5) == 8);
    int (*pointer)(int, ...) = sum_twice;
    assert(pointer(2, 1, 1) == 22);
}
