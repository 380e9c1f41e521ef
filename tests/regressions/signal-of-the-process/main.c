#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int handled;

static void handler(int number)
{
    (void)number;
    handled++;
}

static void *taker(void *mask)
{
    sigset_t waiting;
    sigpending(&waiting);
    assert(sigismember(&waiting, SIGUSR1));
    pthread_sigmask(SIG_UNBLOCK, mask, 0);
    assert(handled == 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    sigset_t mask;
    signal(SIGUSR1, handler);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mask, 0);
    kill(getpid(), SIGUSR1);
    pthread_create(&thread, 0, taker, &mask);
    pthread_join(thread, 0);
    pthread_sigmask(SIG_UNBLOCK, &mask, 0);
    assert(handled == 0);
    return 0;
}
