#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f >= 1.0f && f <= 2.0f)
        assert(f / 2 + f / 2 == f);
    return 0;
}
