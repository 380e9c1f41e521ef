#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void check(int x) {
    assert(x != 2);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3)
        check(x);
    return 0;
}
