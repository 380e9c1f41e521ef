#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
extern _Bool __VERIFIER_nondet__Bool(void);
extern signed char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned char __VERIFIER_nondet_u8(void);
extern unsigned char __VERIFIER_nondet_unsigned_char(void);

int main(void) {
    int b = __VERIFIER_nondet_bool() + __VERIFIER_nondet__Bool();
    assert(b >= 0 && b <= 2);
    int c = __VERIFIER_nondet_char();
    assert(c >= -128 && c <= 127);
    int u = b == 0 ? __VERIFIER_nondet_uchar() : b == 1 ? __VERIFIER_nondet_u8() : __VERIFIER_nondet_unsigned_char();
    assert(u >= 0 && u <= 255);
    return 0;
}
