#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sn = 0;
    if (n < -1000 || n > 1000)
        return 0;
    for (int i = 1; i <= n; i++) {
        sn += 2;
    }
    assert(sn == 2 * n || sn == 0);
    return 0;
}
