#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf place;
static int calls;
static int compare(const void *a, const void *b) { calls++; siglongjmp(place, 7); }
static void handler(int number) { siglongjmp(place, number); }
static void (*go)(jmp_buf, int) = longjmp;

int main(void) {
    sigset_t now;
    int data[2] = {2, 1}, got;
    signal(SIGUSR1, handler);
    if ((got = sigsetjmp(place, 1)) == 0) { raise(SIGUSR1); assert(0); }
    assert(got == SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &now);
    assert(!sigismember(&now, SIGUSR1));
    if ((got = sigsetjmp(place, 0)) == 0) { raise(SIGUSR1); assert(0); }
    assert(got == SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &now);
    assert(sigismember(&now, SIGUSR1));
    if (setjmp(place) == 0) { qsort(data, 2, sizeof(int), compare); assert(0); }
    assert(calls == 1);
    switch (setjmp(place)) {
    case 0: go(place, 0); assert(0);
    case 1: go(place, 2); assert(0);
    case 2: break;
    default: assert(0);
    }
    return 0;
}
