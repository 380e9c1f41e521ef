#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        reach_error();
    assert(x != 4);
    return 0;
}
