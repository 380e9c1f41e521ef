/* Floating point on bit patterns, as `semantics.evaluate` does it: single precision through double, rounded once. */

static inline double from_bits64(u64 a) { double x; copy_bytes(&x, &a, 8); return x; }
static inline u64 to_bits64(double x) { u64 a; copy_bytes(&a, &x, 8); return a; }
static inline double from_bits32(u64 a) { u32 b = (u32)a; float x; copy_bytes(&x, &b, 4); return (double)x; }
static inline u64 to_bits32(double x) { float y = (float)x; u32 a; copy_bytes(&a, &y, 4); return a; }

#if GPU
/* What is no number has other bits there. */
static inline double told(Ctx *C, double x) { C->elsewhere |= x != x; return x; }
#define to_bits64(x) to_bits64(told(C, x))
#define to_bits32(x) to_bits32(told(C, x))
#endif

static double positive_nan(void) { return from_bits64(0x7ff8000000000000ULL); }

static double divide(double x, double y) {
    if (y != 0 || y != y) return x / y;
    if (x == 0 || x != x) return positive_nan();
    return __builtin_copysign(1.0, x) * __builtin_copysign(1.0, y) * __builtin_inf();
}

static double square_root(double x) { return x < 0 ? positive_nan() : __builtin_sqrt(x); }

/* 0: towards zero, -1: down, 1: up */
static double rounded(double x, int way) {
    if (x != x || x >= 4503599627370496.0 || x <= -4503599627370496.0) return x;
    double y = (double)(i64)x;
    if (way < 0 && y > x) y -= 1;
    if (way > 0 && y < x) y += 1;
    return __builtin_copysign(y, x);
}

#if GPU
/* No C library is there. */
#define math_value(number, width, arity, x, y) (C->elsewhere = 1, 0.0)
#define math_errno(number, width, arity, x, y) (C->elsewhere = 1, 0ULL)
#else
/* Functions of math.h, of this process's C library; first the one that says where errno is. */
EXPORT void *math_functions[128];

static double math_value(int number, int width, int arity, double x, double y) {
    void *f = math_functions[number + 1];
    double z;
    if (width == 64) z = arity == 1 ? ((double (*)(double))f)(x) : ((double (*)(double, double))f)(x, y);
    else z = arity == 1 ? ((float (*)(float))f)((float)x) : ((float (*)(float, float))f)((float)x, (float)y);
    return z != z ? positive_nan() : z;
}

static u64 math_errno(int number, int width, int arity, double x, double y) {
    int *at = ((int *(*)(void))math_functions[0])();
    *at = 0;
    math_value(number, width, arity, x, y);
    return (u64)*at;
}
#endif

static inline int fits_signed(double x, int bits) {
    double limit = __builtin_ldexp(1.0, bits - 1);
    return x == x && x < limit && (x >= -limit || (bits < 53 && x > -limit - 1));
}

static inline int fits_unsigned(double x, int bits) { return x == x && x > -1 && x < __builtin_ldexp(1.0, bits); }
