#include <assert.h>
#include <signal.h>

static int handled;
static void handler(int number) { (void)number; handled++; }

int main(void)
{
    sigset_t mask;
    signal(SIGUSR1, handler);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &mask, 0);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR1, handler);
    sigprocmask(SIG_UNBLOCK, &mask, 0);
    assert(handled == 0);
    return 0;
}
