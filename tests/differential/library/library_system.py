"""Ends of programs, signals, pipes and counters, files, memory from the system."""

from __future__ import annotations

import random

from library_case import Case
from library_values import attacked, safe, spread, unsafe

HANDLER = "static void f@(void) { obs(7); } static void g@(void) { obs(8); }"
SET = "sigset_t s; obs(sigemptyset(&s));"
PIPE = "int p[2]; obs(pipe(p));"


def cases(rng: random.Random) -> list[Case]:
    return (
        _ends(rng)
        + _signals(rng)
        + _pipes(rng)
        + _memory(rng)
        + _files()
        + _identity()
        + _environment(rng)
        + _options(rng)
    )


def _ends(rng: random.Random) -> list[Case]:
    found = safe("atexit", "obs(atexit(f@)); obs(atexit(g@)); exit(0);", "atexit(f@); obs(1); _exit(0);", top=HANDLER)
    found += safe(
        "at_quick_exit", "obs(at_quick_exit(f@)); quick_exit(1);", "atexit(f@); obs(1); quick_exit(1);", top=HANDLER
    )
    found += safe(
        "on_exit",
        "obs(on_exit(e@, (void *)5)); exit(3);",
        top="static void e@(int c, void *p) { obs(c); obs((long)p); }",
    )
    for name in ("exit", "_exit", "_Exit", "quick_exit"):
        found += safe(name, f"obs(1); {name}(3); obs(2);")
    return found


def _signals(rng: random.Random) -> list[Case]:
    numbers = (0, 1, 2, 15, 64, 65, -1)
    found = safe("sigemptyset", f"{SET} obs(sigismember(&s, 2));")
    found += safe("sigfillset", "sigset_t s; obs(sigfillset(&s)); obs(sigismember(&s, 2)); obs(sigismember(&s, 64));")
    for name, first in (("sigaddset", "sigemptyset"), ("sigdelset", "sigfillset")):
        found += spread(
            rng,
            name,
            f"sigset_t s; {first}(&s); errno = 0; obs({name}(&s, $n)); obs(errno); obs(sigismember(&s, 2)); obs(sigismember(&s, 15));",
            n=numbers,
        )
    found += spread(
        rng, "sigismember", f"{SET} sigaddset(&s, 2); errno = 0; obs(sigismember(&s, $n)); obs(errno);", n=numbers
    )
    for name in ("pthread_sigmask", "sigprocmask"):
        found += spread(rng, name, f"{SET} sigaddset(&s, 15); sigset_t o; errno = 0; obs({name}($h, &s, &o)); obs(errno); "
                        f"obs({name}(0, 0, &o)); obs(sigismember(&o, 15));", h=("SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK", 77))  # fmt: skip
    handled = "static int n@; static void h@(int s) { n@ += s; }"
    found += spread(
        rng,
        "signal",
        "obs(signal($n, h@) == SIG_ERR); if ($n == 10) raise(10); obs(n@);",
        top=handled,
        n=(10, 2, 9, 0, 65),
    )
    found += safe("signal", "obs(signal(10, SIG_IGN) == SIG_DFL); raise(10); obs(signal(10, SIG_DFL) == SIG_IGN);")
    found += safe(
        "raise",
        "signal(10, h@); obs(raise(10)); obs(n@);",
        "signal(10, SIG_IGN); obs(raise(10)); obs(n@);",
        "errno = 0; obs(raise(99)); obs(errno);",
        top=handled,
    )
    found += safe("sigaction", "struct sigaction a = {.sa_handler = h@}, o; obs(sigaction(10, &a, 0)); raise(10); obs(n@); obs(sigaction(10, 0, &o)); obs(o.sa_handler == h@);",
                  "struct sigaction a = {.sa_handler = SIG_IGN}; errno = 0; obs(sigaction(9, &a, 0)); obs(errno); obs(sigaction(70, &a, 0));", top=handled)  # fmt: skip
    found += safe(
        "kill", "signal(10, h@); obs(kill(getpid(), 10)); obs(n@);", "obs(kill(getpid(), 0));", top=handled, among=True
    )
    found += safe(
        "pthread_kill",
        "signal(10, h@); obs(pthread_kill(pthread_self(), 10)); obs(n@);",
        "obs(pthread_kill(pthread_self(), 0)); obs(pthread_kill(pthread_self(), 99));",
        top=handled,
    )
    found += safe(
        "sigpending",
        f"{SET} sigaddset(&s, 10); sigprocmask(SIG_BLOCK, &s, 0); raise(10); sigset_t o; obs(sigpending(&o)); obs(sigismember(&o, 10));",
    )
    found += _pending_signals(handled)
    for name in ("sigemptyset", "sigfillset"):
        found += attacked(name, "", ("0",), (0,))
    return found + attacked("sigaddset", "", ("0", "2"), (0,)) + attacked("sigismember", "", ("0", "2"), (0,))


def _pending_signals(handled: str) -> list[Case]:
    """Sent to the caller or to the process while all block them; taken, ignored, looked at, by the same or another thread."""
    mask = "sigset_t m; sigemptyset(&m); sigaddset(&m, 10); sigaddset(&m, 12);"
    blocked = f"{mask} signal(10, h@); signal(12, h@); sigprocmask(SIG_BLOCK, &m, 0);"
    unblocked = "sigprocmask(SIG_UNBLOCK, &m, 0); obs(n@);"
    ignored = "signal(10, SIG_IGN); signal(10, h@);"
    order = handled.replace("n@ += s", "n@ = 100 * n@ + s")
    thread = "pthread_t k; pthread_create(&k, 0, t@, 0); pthread_join(k, 0);"
    looks = f"static void *t@(void *p) {{ {mask} sigset_t o; sigpending(&o); obs(sigismember(&o, 10)); "
    return [
        case
        for name, send in (("raise", "raise(10);"), ("kill", "kill(getpid(), 10);"))
        for case in (
            safe(name, f"{blocked} {send} {send} obs(n@); {unblocked}", top=handled, among=name == "kill")
            + safe("signal", f"{blocked} {send} {ignored} {unblocked}", top=handled, among=name == "kill")
            + safe("pthread_sigmask", f"{blocked} {send} raise(12); {unblocked}", top=order, among=True)
            + safe(
                name,
                f"{blocked} {send} {thread} {unblocked}",
                top=f"{handled} {looks} return 0; }}",
                among=name == "kill",
            )
            + safe(
                name,
                f"{blocked} {send} {thread} obs(n@); {unblocked}",
                top=f"{handled} {looks} pthread_sigmask(SIG_UNBLOCK, &m, 0); return 0; }}",
                among=name == "kill",
            )
        )
    ]


def _pipes(rng: random.Random) -> list[Case]:
    found = safe("pipe", f"{PIPE} obs(p[0] != p[1]); obs(p[0] >= 0);") + attacked("pipe", "", ("0",), (0,))
    found += spread(
        rng,
        "write",
        PIPE + ' char b[9] = "????????"; obs(write(p[1], "abcdef", $n)); obs(read(p[0], b, 8)); obs_text(b);',
        n=(1, 3, 6),
    )
    found += safe("read", f'{PIPE} char b[4]; write(p[1], "ab", 2); close(p[1]); obs(read(p[0], b, 4)); obs(read(p[0], b, 4));',
                  "char b[4]; errno = 0; obs(read(-1, b, 4)); obs(errno);", "char b[4]; errno = 0; obs(read(777, b, 4)); obs(errno);")  # fmt: skip
    found += safe("write", 'errno = 0; obs(write(-1, "a", 1)); obs(errno);')
    found += safe(
        "close",
        f"{PIPE} obs(close(p[0])); errno = 0; obs(close(p[0])); obs(errno); obs(close(p[1]));",
        "errno = 0; obs(close(-1)); obs(errno);",
    )
    found += unsafe("read", f'{PIPE} char *b = malloc(2); write(p[1], "abcd", 4); read(p[0], b, 4); obs(b[0]);')
    found += unsafe("write", f"{PIPE} char *b = malloc(2); b[0] = b[1] = 1; write(p[1], b, 4);")
    both = f"{PIPE} pthread_t h; q@ = p[1]; pthread_create(&h, 0, t@, 0); char c = 0; obs(read(p[0], &c, 1)); obs(c); pthread_join(h, 0);"
    found += safe("pipe", both, top='static int q@; static void *t@(void *p) { write(q@, "x", 1); return 0; }')
    found += spread(
        rng,
        "eventfd",
        "int e = eventfd($n, $f); obs(e >= 0); unsigned long long v = 5; obs(write(e, &v, 8)); obs(read(e, &v, 8)); obs(v);",
        n=(0, 1, 7),
        f=(0, "EFD_SEMAPHORE", "EFD_NONBLOCK"),
    )
    found += safe("eventfd_read", "int e = eventfd(3, 0); eventfd_t v; obs(eventfd_read(e, &v)); obs(v);")
    found += safe(
        "eventfd_write",
        "int e = eventfd(0, 0); eventfd_t v; obs(eventfd_write(e, 4)); obs(eventfd_read(e, &v)); obs(v);",
    )
    found += safe(
        "dup",
        f'{PIPE} int d = dup(p[1]); obs(d > p[1]); obs(write(d, "a", 1)); char c; obs(read(p[0], &c, 1)); obs(c);',
    )
    found += safe(
        "poll",
        "obs(poll(0, 0, 0));",
        f"{PIPE} struct pollfd f = {{p[0], POLLIN}}; obs(poll(&f, 1, 0)); obs(f.revents);",
    )
    return found + safe("select", "struct timeval t = {0, 0}; obs(select(0, 0, 0, 0, &t));")


def _memory(rng: random.Random) -> list[Case]:
    page = "mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)"
    found = safe(
        "mmap",
        f"char *p = {page}; obs(p != MAP_FAILED); obs(p[0]); obs(p[4095]); p[9] = 3; obs(p[9]); obs(munmap(p, 4096));",
    )
    found += safe("munmap", f"char *p = {page}; obs(munmap(p, 4096)); obs(1);") + unsafe(
        "mmap", f"char *p = {page}; munmap(p, 4096); p[0] = 1;", f"char *p = {page}; p[4096 * 4] = 1;"
    )
    flags = ("0", "MAP_SHARED", "MAP_PRIVATE", "MAP_SHARED | MAP_PRIVATE")
    found += spread(
        rng, "mmap", "errno = 0; obs(mmap(0, 9, 3, MAP_ANONYMOUS | $f, -1, 0) == MAP_FAILED); obs(errno);", f=flags
    )
    found += safe("getpagesize", "obs(getpagesize());") + safe("sysconf", "obs(sysconf(_SC_PAGESIZE));")
    for name, text in (
        ("mprotect", "mprotect(p, 4096, PROT_READ)"),
        ("madvise", "madvise(p, 4096, MADV_NORMAL)"),
        ("msync", "msync(p, 4096, MS_SYNC)"),
    ):
        found += safe(name, f"char *p = {page}; obs({text}); munmap(p, 4096);")
    return found


def _files() -> list[Case]:
    found = safe("fopen", 'errno = 0; FILE *f = fopen("/nonexistent/x", "r"); obs(f == 0); obs(errno);', among=True)
    found += safe("open", 'errno = 0; obs(open("/nonexistent/x", O_RDONLY)); obs(errno);', among=True)
    found += safe(
        "fgets",
        'FILE *f = fopen("/dev/null", "r"); char b[8]; if (f) { obs(fgets(b, 8, f) == 0); fclose(f); }',
        among=True,
    )
    found += safe(
        "fread",
        'FILE *f = fopen("/dev/null", "r"); char b[8]; if (f) { obs(fread(b, 1, 8, f)); fclose(f); }',
        among=True,
    )
    found += safe(
        "fwrite", 'FILE *f = fopen("/dev/null", "w"); if (f) { obs(fwrite("ab", 1, 2, f)); fclose(f); }', among=True
    )
    found += unsafe("fopen", 'fopen(0, "r");') + unsafe("fclose", "fclose(0);")
    found += unsafe(
        "fwrite",
        'FILE *f = fopen("/dev/null", "w"); char *b = malloc(2); b[0] = b[1] = 1; fwrite(b, 1, 4, f); fflush(f);',
    )
    return found + safe("access", 'obs(access("/nonexistent", F_OK));', among=True)


def _identity() -> list[Case]:
    found = safe(
        "sem_open",
        'sem_t *s = sem_open("/threadproof@", O_CREAT, 0600, 2); obs(s != SEM_FAILED); obs(sem_trywait(s)); obs(sem_unlink("/threadproof@")); obs(sem_close(s));',
    )
    same = (
        ("getpid", ""),
        ("getppid", ""),
        ("gettid", ""),
        ("getuid", ""),
        ("geteuid", ""),
        ("getgid", ""),
        ("getegid", ""),
    )
    for name, argument in same:
        found += safe(name, f"obs({name}({argument}) == {name}({argument}));", among=True)
    found += safe(
        "sem_open",
        'obs(sem_open("/tp@", O_CREAT, 0600, 1) != 0); obs(sem_open("tp@", 0) != 0); obs(sem_unlink("//tp@"));',
    )
    found += safe("getppid", "obs(getppid() == getpid());", among=True)
    found += safe("gettid", "obs(gettid() == getpid());", among=True)
    names = ("sched_get_priority_min", "sched_get_priority_max")
    for name in names:
        found += safe(
            name, f"obs({name}(SCHED_FIFO)); obs({name}(SCHED_OTHER)); errno = 0; obs({name}(77)); obs(errno);"
        )
    jump = "jmp_buf j; volatile int n = 0; int r = setjmp(j); obs(r); if (n++ < 2) longjmp(j, n - 1);"
    return found + safe("setjmp", jump) + safe("longjmp", jump.replace("n - 1", "n + 4"))


def _environment(rng: random.Random) -> list[Case]:
    names = ('"TP_A"', '"TP_B"', '"TP=A"', '""', '"TP_A="')
    seen = 'obs_text(getenv("TP_A")); obs_text(getenv("TP_B"));'
    first = 'unsetenv("TP_B"); setenv("TP_A", "one", 1); errno = 0;'
    found = spread(
        rng, "setenv", f"{first} obs(setenv($n, $v, $r)); obs(errno); {seen}", n=names, v=('""', '"two"'), r=(0, 1)
    )
    found += spread(rng, "unsetenv", f"{first} obs(unsetenv($n)); obs(errno); {seen}", n=names)
    found += spread(
        rng,
        "putenv",
        f"{first} obs(putenv($t)); {seen}",
        n=names,
        t=('"TP_A=two"', '"TP_B=x=y"', '"TP_A"', '"TP_B="', '"TP_C"'),
    )
    found += safe("putenv", f"{first} static char own[] = \"TP_A=2\"; putenv(own); own[5] = '7'; {seen}")
    found += safe("clearenv", f'{first} obs(clearenv()); {seen} obs(setenv("TP_B", "x", 0)); {seen}')
    found += safe("getenv", f'{first} char *p = getenv("TP_A"); setenv("TP_A", "two", 1); obs_text(p); {seen}')
    found += attacked("setenv", "", ('"TP_A"', '"x"', "1"), (0, 1)) + attacked("unsetenv", "", ('"TP_A"',), (0,))
    found += spread(
        rng,
        "getenv",
        f'unsetenv("TP"); {first} setenv("TP_B", "x=y", 1); obs_text(getenv($n));',
        n=(*names, '"TP_B=x"'),
    )
    return found + unsafe("getenv", 'setenv("TP_A", "x", 1); free(getenv("TP_A"));')


def _options(rng: random.Random) -> list[Case]:
    words = ('"-a"', '"-ab"', '"-b"', '"-bx"', '"-c"', '"-cx"', '"file"', '"--"', '"-"', '"--size=3"', '"--size"', '"--si"',
             '"--verbose"', '"--ver"', '"--vers"', '"--quick"', '"--quick=z"', '"--none"', '"-size"', '"-q"', '"--verbose=1"')  # fmt: skip
    top = (
        'static struct option longs@[] = {{"size", 1, 0, 300}, {"verbose", 0, 0, 301}, {"version", 0, 0, 302}, '
        '{"quick", 2, 0, 303}, {0, 0, 0, 0}};'
    )
    start = 'char *v[] = {"p", $a, $b, $c, $d, 0}; int at = -1; opterr = 0;'
    loop = "for (int i = 0; i < 8; i++) { int r = CALL; obs(r); obs(optind); obs(optopt); obs(at); obs_text(optarg); if (r == -1) break; }"
    after = "for (int i = 1; i < 5; i++) obs_text(v[i]);"
    calls = {
        "getopt": "getopt(5, v, $o)",
        "getopt_long": "getopt_long(5, v, $o, longs@, &at)",
        "getopt_long_only": "getopt_long_only(5, v, $o, longs@, &at)",
    }
    found: list[Case] = []
    for name, call in calls.items():
        body = f"{start} {loop.replace('CALL', call)} {after}"
        some = dict.fromkeys("abcd", words)
        found += spread(rng, name, body, 14, top=top, o=('"ab:c::"', '"+ab:"', '"-ab:c"', '":ab:"'), **some)
    return found
