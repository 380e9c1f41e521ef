#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t calls;

static void handler(int number) {
    if (calls++ < 2)
        raise(number);
}

int main(void) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    assert(calls == 3);
}
