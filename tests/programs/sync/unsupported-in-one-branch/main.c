#include <assert.h>
#include <unistd.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_bool())
        fork();
    assert(x == 0);
    return 0;
}
