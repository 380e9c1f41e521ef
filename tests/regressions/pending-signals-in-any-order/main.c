#include <assert.h>
#include <signal.h>

static int last;
static void handler(int number) { last = number; }

int main(void)
{
    sigset_t mask;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    sigfillset(&mask);
    sigprocmask(SIG_BLOCK, &mask, 0);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &mask, 0);
    assert(last == SIGUSR2);
    return 0;
}
