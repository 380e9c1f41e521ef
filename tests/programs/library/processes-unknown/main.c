#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char *none[] = {0};
    sigset_t set;
    switch (__VERIFIER_nondet_uchar()) {
    case 0: execv("a", none);
    case 1: execvp("a", none);
    case 2: execl("a", "a", (char *)0);
    case 3: execlp("a", "a", (char *)0);
    case 4: popen("a", "r");
    case 5: pclose(0);
    case 6: wait(0);
    case 7: waitpid(1, 0, 0);
    case 8: posix_spawn(0, "a", 0, 0, none, none);
    case 9: shm_open("a", 0, 0);
    case 10: mremap(0, 1, 1, 0);
    case 11: sigsuspend(&set);
    case 12: pause();
    case 13: sigwaitinfo(&set, 0);
    case 14: sigtimedwait(&set, 0, 0);
    case 15: sigaltstack(0, 0);
    case 17: socketpair(0, 0, 0, 0);
    case 18: sendmsg(0, 0, 0);
    case 19: recvmsg(0, 0, 0);
    }
    return 0;
}
