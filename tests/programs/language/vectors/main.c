// Vectors lane by lane; the values are those that gcc gives.
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));

v4 global = {1, 2, 3, 4};
struct { char c; v4 v; } inside;

v4 twice(v4 a) { return a + a; }

int main(void)
{
    v4 a = {5, -6, 7, 8}, b = global * a - 1;
    assert(b[0] == 4 && b[1] == -13 && b[2] == 20 && b[3] == 31);
    b = (a & 3) | (global << 4) ^ ~a;
    for (int i = 0; i < 4; i++)
        assert(b[i] == ((a[i] & 3) | (global[i] << 4) ^ ~a[i]));
    b = a > global;
    assert(b[0] == -1 && b[1] == 0 && b[3] == -1);
    b[2] = 9;
    b[a[0] - 5] = 11;
    assert(b[0] == 11 && b[2] == 9 && ((int *)&b)[1] == 0);
    inside.v = twice(a);
    assert(inside.v[1] == -12 && sizeof inside == 32);
    f4 f = {1.5f, 2, -3, 0.25f};
    f = -f * f + 2.0f;
    assert(f[0] == -0.25f && f[1] == -2 && f[2] == -7);
    f = __builtin_convertvector(a, f4) / 2;
    assert(f[0] == 2.5f && f[1] == -3);
    b8 c = {250, 1, 2, 3, 4, 5, 6, 7};
    c += 10;
    assert(c[0] == 4 && c[7] == 17 && (c / 2)[7] == 8);
    return 0;
}
