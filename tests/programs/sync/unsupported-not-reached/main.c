#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern int (setjmp)(jmp_buf);

int mode, x;
jmp_buf place;

void handler(void) {
    x = 1;
}

void *f(void *arg) {
    if (mode != 0) {
        atexit(handler);
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
        sem_open("/name", 0);
        x = errno;
        setjmp(place);
        longjmp(place, 1);
        sigsetjmp(place, 1);
        fork();
        vfork();
        execve("/bin/true", NULL, NULL);
        system("true");
        signal(SIGINT, SIG_IGN);
        sigaction(SIGINT, NULL, NULL);
        pthread_sigmask(SIG_BLOCK, NULL, NULL);
        raise(SIGTERM);
        kill(0, SIGTERM);
        pthread_kill(pthread_self(), SIGTERM);
        alarm(1);
        pthread_atfork(NULL, NULL, NULL);
        (setjmp)(place);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(x == 0);
    return 0;
}
