#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

extern _Bool __VERIFIER_nondet_bool(void);
jmp_buf place; /* shared: the threads jump to each other's places */
int *kept, tries;

static void leave(void) {
    int local = 5;
    kept = &local;
    longjmp(place, 1);
}

void *f(void *arg) {
    setjmp(place);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    if (setjmp(place) == 0) {
        tries++;
        leave();
    }
    if (__VERIFIER_nondet_bool())
        return *kept;
    assert(tries == 0); /* it went there, and the jump came back */
    return 0;
}
