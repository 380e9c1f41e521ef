#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned m = __VERIFIER_nondet_uint();
    if (m == 0 || m > 1000)
        return 0;
    int a[m], b[m], c[m];
    for (unsigned i = 0; i < m; i++)
        a[i] = __VERIFIER_nondet_int();
    for (unsigned i = 0; i < m; i++)
        b[i] = __VERIFIER_nondet_int();
    for (unsigned i = 0; i < m; i++)
        c[i] = (int)((unsigned)a[i] + (unsigned)b[i]);
    for (unsigned i = 0; i < m; i++)
        assert(c[i] == (int)((unsigned)a[i] - (unsigned)b[i]));
    return 0;
}
