#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static int seen, number;

static void handler(int n) {
    sigset_t now;
    seen++;
    number = n;
    pthread_sigmask(SIG_BLOCK, 0, &now);
    assert(sigismember(&now, n) == 1 && sigismember(&now, SIGHUP) == 1);
}

static void telling(int n, siginfo_t *info, void *context) {
    seen += info->si_signo;
}

static void sets(void) {
    sigset_t set;
    assert(sigemptyset(&set) == 0 && sigismember(&set, SIGINT) == 0);
    assert(sigaddset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 1);
    assert(sigdelset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 0);
    assert(sigaddset(&set, 65) == -1 && errno == EINVAL && sigaddset(&set, 0) == -1 && sigismember(&set, 99) == -1);
    assert(sigfillset(&set) == 0 && sigismember(&set, SIGKILL) == 1 && sigismember(&set, 64) == 1);
}

static void masks(void) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(77, &set, 0) == -1 && errno == EINVAL && pthread_sigmask(77, &set, 0) == EINVAL);
    assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && sigismember(&old, SIGUSR1) == 0);
    assert(raise(SIGUSR1) == 0 && seen == 1);
    assert(sigpending(&old) == 0 && sigismember(&old, SIGUSR1) == 1);
    assert(sigprocmask(SIG_UNBLOCK, &set, &old) == 0 && seen == 2 && sigismember(&old, SIGUSR1) == 1);
    assert(sigprocmask(SIG_SETMASK, 0, &old) == 0 && sigismember(&old, SIGUSR1) == 0);
}

int main(void) {
    struct sigaction action = {0}, before;
    sets();
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL && raise(SIGUSR1) == 0 && raise(SIGCHLD) == 0);
    action.sa_handler = handler;
    sigaddset(&action.sa_mask, SIGHUP);
    assert(sigaction(SIGUSR1, &action, &before) == 0 && before.sa_handler == SIG_IGN);
    assert(raise(SIGUSR1) == 0 && seen == 1 && number == SIGUSR1);
    masks();
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && seen == 3 && pthread_kill(pthread_self(), 0) == 0);
    assert(pthread_kill(pthread_self(), 99) == EINVAL && sigaction(SIGKILL, &action, 0) == -1 && raise(-1) == -1);
    assert(signal(SIGUSR1, SIG_DFL) == handler && signal(0, SIG_IGN) == SIG_ERR && kill(0, 0) == 0);
    action.sa_sigaction = telling;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    assert(sigaction(SIGUSR2, &action, 0) == 0 && raise(SIGUSR2) == 0 && seen == 3 + SIGUSR2);
    assert(sigaction(SIGUSR2, 0, &before) == 0 && before.sa_handler == SIG_DFL);
    alarm(5);
    assert(setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, 0) == 0);
    raise(SIGUSR2);
    assert(0);
}
