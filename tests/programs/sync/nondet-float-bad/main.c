#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (f == 0.0f)
        assert(d == d);
    return 0;
}
