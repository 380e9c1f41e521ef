/* Runs `program_main` many times, each in a process of its own, and prints how each run ended. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int program_main(void);
void dump(void);

enum { ASSUMED = 3, PATIENCE = 3 };

static unsigned run_seed;
static unsigned threads_seen;

static unsigned random_number(void) {
    static _Thread_local unsigned state;
    if (!state) {
        state = (run_seed + 1) * 2654435761u + __sync_add_and_fetch(&threads_seen, 1) * 40503u + 1;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> 7;
}

void shake(void) {
    __sync_synchronize();
    unsigned pick = random_number() % 16;
    if (pick == 0) {
        struct timespec pause = {0, random_number() % 300000};
        syscall(SYS_nanosleep, &pause, 0); /* nanosleep() itself would be a cancellation point */
    } else if (pick < 5) {
        sched_yield();
    }
}

static char shown[4096];

void show(const char *name, const volatile void *where, unsigned long size) {
    char *end = shown + strlen(shown);
    end += sprintf(end, " %s=", name);
    for (unsigned long i = 0; i < size; i++) {
        end += sprintf(end, "%02x", ((const volatile unsigned char *)where)[i]);
    }
}

_Bool __VERIFIER_nondet_bool(void) { return random_number() & 1; }
char __VERIFIER_nondet_char(void) { return (char)(random_number() % 7) - 3; }
unsigned char __VERIFIER_nondet_uchar(void) { return random_number() % 4; }
short __VERIFIER_nondet_short(void) { return (short)(random_number() % 7) - 3; }
int __VERIFIER_nondet_int(void) { return (int)(random_number() % 7) - 3; }

void __VERIFIER_assume(int holds) {
    if (!holds) {
        _exit(ASSUMED);
    }
}

static void one_run(unsigned seed, int output) {
    struct itimerval limit = {{0, 0}, {0, 200000}};
    run_seed = seed;
    close(2);
    setitimer(ITIMER_REAL, &limit, 0);
    program_main();
    dump();
    write(output, shown, strlen(shown));
    _exit(0);
}

int run_all(int runs, unsigned seed) {
    int hung = 0;
    for (int i = 0; i < runs && hung < PATIENCE; i++) {
        int ends[2], status = 0;
        char line[4096];
        if (pipe(ends)) {
            return 1;
        }
        pid_t child = fork();
        if (!child) {
            signal(SIGABRT, SIG_DFL);
            signal(SIGALRM, SIG_DFL);
            one_run(seed + i, ends[1]);
        }
        close(ends[1]);
        long length = 0, got;
        while ((got = read(ends[0], line + length, sizeof line - 1 - length)) > 0) {
            length += got;
        }
        line[length] = 0;
        close(ends[0]);
        waitpid(child, &status, 0);
        if (WIFEXITED(status)) {
            printf("%s%s\n", WEXITSTATUS(status) == ASSUMED ? "assumed" : "ended", line);
        } else {
            int number = WTERMSIG(status);
            hung += number == SIGALRM;
            printf("%s\n", number == SIGABRT ? "failed" : number == SIGALRM ? "hung" : "crashed");
        }
    }
    fflush(stdout);
    return 0;
}
