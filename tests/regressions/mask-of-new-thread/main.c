#include <assert.h>
#include <pthread.h>
#include <signal.h>

int n;

void handler(int number)
{
    n++;
}

void *start(void *arg)
{
    sigset_t waiting;
    raise(SIGUSR1);
    assert(n == 0);
    sigpending(&waiting);
    assert(sigismember(&waiting, SIGUSR1));
    return 0;
}

int main(void)
{
    pthread_t t;
    sigset_t set;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&t, 0, start, 0);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    pthread_join(t, 0);
    assert(n == 0);
    raise(SIGUSR1);
    assert(n == 1);
    return 0;
}
