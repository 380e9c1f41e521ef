#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int handled;

static void handler(int number)
{
    (void)number;
    handled = 1;
}

static void *other(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, other, 0);
    kill(0, SIGUSR1);
    pthread_join(thread, 0);
    assert(handled);
    return 0;
}
