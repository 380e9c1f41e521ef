/* One process makes a system call; the other one attaches to it and wants to be told of that call, so that it can
 * inject code. It only succeeds if it attached before the call was made. Runs under the platform `ptrace`. */
#include <pthread.h>
#include <stdint.h>

#define SIGCHLD 17
#define PTRACE_CONT 7
#define PTRACE_ATTACH 16
#define PTRACE_DETACH 17
#define PTRACE_SYSCALL 24
#define SYSCALLER 2 /* the second thread that main creates */

void start(void);
void *signal(int number, void *handler);
long ptrace(int request, int process);
void syscall(void);
void syscallend(void);
void poketext(void);

int32_t c = 0;

void handler(int i) { c++; }

#ifdef NO_PARAMETER /* as in the paper: start routines without parameter, and without return */
#define PARAMETER
#define RETURN
#else
#define PARAMETER void *arg
#define RETURN return 0;
#endif

void *ptracer(PARAMETER)
{
    signal(SIGCHLD, handler);
    ptrace(PTRACE_ATTACH, SYSCALLER);
    while (c < 1);
    ptrace(PTRACE_SYSCALL, SYSCALLER);
    while (c < 2);
    poketext();
    ptrace(PTRACE_CONT, SYSCALLER);
    ptrace(PTRACE_DETACH, SYSCALLER);
    RETURN
}

void *syscaller(PARAMETER)
{
    syscall();
    syscallend();
    RETURN
}

int main(void)
{
    pthread_t tracer, traced;
    pthread_create(&tracer, 0, ptracer, 0);
    pthread_create(&traced, 0, syscaller, 0);
    start();
    pthread_join(tracer, 0);
    pthread_join(traced, 0);
    return 0;
}
