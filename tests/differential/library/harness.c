/* Runs every case in a process of its own and prints one line each: number, how it ended, the errors a checker counted,
   what it observed. `ended` 1: it came back. */
#include <sys/wait.h>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_COUNT_ERRORS 0
#endif

struct seen *seen;

static void child(int number) {
  int nowhere = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++)
    if (fd != 2 || !getenv("KEEP_STDERR")) dup2(nowhere, fd);
  close(nowhere);
  cases[number]();
  seen->ended = 1;
  seen->errors = (int)(VALGRIND_COUNT_ERRORS);
  _exit(0);
}

/* The limit is in real milliseconds: a case that hangs does not use the processor. */
static const char *waited(int process, int limit_ms, int *status) {
  for (int ms = 0; ms < limit_ms; ms++) {
    if (waitpid(process, status, WNOHANG) == process) return WIFSIGNALED(*status) ? "signal" : "exit";
    usleep(1000);
  }
  kill(process, SIGKILL);
  waitpid(process, status, 0);
  return "hang";
}

void run_all(int limit_ms) {
  seen = mmap(0, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    int status = 0;
    memset(seen, 0, sizeof *seen);
    fflush(stdout);
    int process = fork();
    if (process == 0) child(i);
    const char *how = waited(process, limit_ms, &status);
    int code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    printf("%d %s %d %d %d", i, seen->ended ? "ended" : how, code, seen->errors, seen->n);
    for (int k = 0; k < seen->n; k++) printf(" %lld", seen->at[k]);
    printf("\n");
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  run_all(argc > 1 ? atoi(argv[1]) : 10000);
  return 0;
}
