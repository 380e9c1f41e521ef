#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern void __VERIFIER_assume(int);
extern char *__VERIFIER_nondet_pchar(void);
extern void *__VERIFIER_nondet_pointer(void);

int main(void) {
    uintptr_t text = (uintptr_t)__VERIFIER_nondet_pchar();
    __VERIFIER_assume(text < 2);
    uintptr_t block = (uintptr_t)__VERIFIER_nondet_pointer();
    __VERIFIER_assume(block < 2);
    assert(text + block <= 2);
    return 0;
}
