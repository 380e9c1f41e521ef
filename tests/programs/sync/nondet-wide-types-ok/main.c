#include <assert.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern long long __VERIFIER_nondet_longlong(void);
extern long long __VERIFIER_nondet_loff_t(void);

#define SMALL(kind, type)                               \
    static int small_##kind(void) {                     \
        type value = __VERIFIER_nondet_##kind();        \
        __VERIFIER_assume(value >= -1 && value <= 1);   \
        return (int)value;                              \
    }

SMALL(short, short)
SMALL(int, int)
SMALL(long, long)
SMALL(longlong, long long)
SMALL(loff_t, long long)

int main(void) {
    int product = small_short() * small_int() * small_long() * small_longlong() * small_loff_t();
    assert(product >= -1 && product <= 1);
    return 0;
}
