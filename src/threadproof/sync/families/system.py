"""The operating system: signals, waiting, descriptors, files and streams, pages, processes."""

from __future__ import annotations

from threadproof.sync.families.common import does
from threadproof.sync.rows import Fidelity, Gives, GivesAny, InRuntime, Jumps, NoMeaning, Row

_MORE, _FEWER = Fidelity.MORE, Fidelity.FEWER
_FROM_OUTSIDE = "signals that arrive from outside are not modelled"

_SIGNALS = (
    *(Row(name, InRuntime(), "the set, in memory; EINVAL as with glibc")
      for name in ("sigemptyset", "sigfillset", "sigaddset", "sigdelset", "sigismember")),
    *(Row(name, InRuntime(), "the caller's mask, at first that of its creator; what becomes unblocked and is pending "
          "arrives, several in any order; a real-time signal that is pending twice: unsupported")
      for name in ("pthread_sigmask", "sigprocmask")),
    Row("sigpending", InRuntime(), "what the caller blocks of what was sent to it or to the process"),
    *(Row(name, InRuntime(), f"what is done with a signal, and what was before; one that is ignored is not pending "
          f"any more; {_FROM_OUTSIDE}", fidelity=_FEWER)
      for name in ("sigaction", "signal")),
    Row("raise", InRuntime(), "a handler is called at once, the default action ends the program or does nothing; "
        "a blocked signal waits"),
    Row("pthread_kill", InRuntime(), "to oneself as raise; to another thread: unsupported when reached"),
    Row("kill", InRuntime(), "to process 0 or its own: as raise, by the caller; if all threads block it, the first "
        "that unblocks it takes it; where another thread, even one that has ended, may take it, or to a group: "
        "unsupported; else any result", fidelity=_FEWER),
    *(Row(name, InRuntime(), "any time is left of the one before; with a handler for its signal: unsupported; that it "
          "may end the program is not modelled", fidelity=_FEWER)
      for name in ("alarm", "setitimer")),
    Row("sigwait", InRuntime(), "any signal of the set, at any time", fidelity=_MORE),
    *(Row(name, NoMeaning(), "waits for a signal from outside", fidelity=Fidelity.UNSUPPORTED)
      for name in ("sigsuspend", "pause", "sigwaitinfo", "sigtimedwait", "sigaltstack")),
)  # fmt: skip

_WAITS = "any outcome, at once; without a limit on the program's own pipes: unsupported"
_WAITING = (
    Row("clock_nanosleep", InRuntime(), "reads the time, which then does not matter; a cancellation point; EINVAL"),
    *(Row(name, InRuntime(), _WAITS, fidelity=_MORE)
      for name in ("poll", "ppoll", "select", "pselect", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait")),
)  # fmt: skip

_CARRIES = "between the program's threads exact, at most 128 bytes; outside any content and any result"
_DESCRIPTORS = (
    *(Row(name, InRuntime(), "a pipe; at most 4 with the event counters") for name in ("pipe", "pipe2")),
    Row("eventfd", InRuntime(), "an event counter"),
    Row("read", InRuntime(), _CARRIES, "while there is nothing to read and somebody could still write",
        fidelity=_MORE),
    Row("write", InRuntime(), f"{_CARRIES}; without readers SIGPIPE, then EPIPE", fidelity=_MORE),
    Row("eventfd_read", InRuntime(), "as read of 8 bytes", "while it is zero"),
    Row("eventfd_write", InRuntime(), "as write of 8 bytes"),
    Row("close", InRuntime(), "readers of a pipe without writers get 0; outside it may fail", fidelity=_MORE),
    Row("dup", InRuntime(), "the lowest free number"),
    Row("fcntl", InRuntime(), "F_DUPFD, F_GETFL, F_SETFL of pipes; outside any result", fidelity=_MORE),
)  # fmt: skip

_SOCKETS = (
    *(Row(name, InRuntime(), "leads outside: reads what it gets; any content, any result", fidelity=_MORE)
      for name in ("socket", "accept", "accept4", "bind", "connect", "listen", "shutdown", "setsockopt", "getsockopt",
                   "recv", "recvfrom", "send", "sendto")),
    *(Row(name, NoMeaning(), "sockets with several parts or of the program's own", fidelity=Fidelity.UNSUPPORTED)
      for name in ("socketpair", "sendmsg", "recvmsg")),
)  # fmt: skip

_OPAQUE = "looks at the stream; any content, any result"
_STREAMS = (
    *(Row(name, InRuntime(), "a stream, or null", fidelity=_MORE) for name in ("fopen", "fdopen", "tmpfile")),
    Row("fclose", InRuntime(), "the stream is gone; may fail", misuse="null or closed: undefined behaviour"),
    *(Row(name, InRuntime(), _OPAQUE, fidelity=_MORE)
      for name in ("fgetc", "getc", "getc_unlocked", "getchar_unlocked", "ungetc", "fread", "fwrite", "fseek", "ftell",
                   "rewind", "feof", "ferror", "clearerr", "fileno")),
    *(Row(name, InRuntime(), f"{_OPAQUE}; with a buffer of the program's: unsupported", fidelity=_MORE)
      for name in ("setvbuf", "setbuf")),
    Row("fgets", InRuntime(), f"{_OPAQUE}; writes the whole buffer, a newline may be anywhere", fidelity=_MORE),
    *(Row(name, InRuntime(), f"{_OPAQUE}; lines of at most 119 characters", fidelity=_FEWER)
      for name in ("getline", "getdelim")),
    *(Row(name, Gives(), "nothing: excludes nobody", fidelity=_FEWER)
      for name in ("flockfile", "funlockfile")),
)  # fmt: skip

_FILES = (
    *(Row(name, InRuntime(), "reads the path; any result", fidelity=_MORE)
      for name in ("open", "creat", "unlink", "remove", "rmdir", "access", "mkdir", "chdir", "rename", "stat",
                   "lstat")),
    *(Row(name, InRuntime(), "any content and any result", fidelity=_MORE)
      for name in ("fstat", "lseek", "ftruncate", "fsync", "getcwd", "gethostname", "uname", "getrusage", "getrlimit",
                   "setrlimit")),
    Row("umask", GivesAny(0, 0o777), "any mask", fidelity=_MORE),
    Row("isatty", GivesAny(0, 1), "yes or no", fidelity=_MORE),
    *(Row(name, InRuntime(), "reads the name" if name == "openlog" else "nothing") for name in ("openlog", "closelog")),
)  # fmt: skip

STABLE = ("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid")
NUMBERS = (*STABLE, "gettid")  # a call whose result nobody reads does nothing
_SYSTEM = (
    Row("mmap", InRuntime(), "anonymous: a fresh zeroed block at a multiple of 16, which is no page; EINVAL; never "
        "fails else; other mappings are unsupported",
        fidelity=_FEWER),
    Row("munmap", InRuntime(), "the whole mapping is gone; a part of it: unsupported"),
    Row("mprotect", InRuntime(), "to read and write: nothing; else unsupported"),
    *(Row(name, Gives(), "nothing") for name in ("madvise", "msync", "mlock", "munlock")),
    Row("sysconf", InRuntime(), "the size of a page is 4096; else any number", fidelity=_MORE),
    Row("prctl", InRuntime(), "the name of the thread is read, or unknown; else any result", fidelity=_MORE),
    Row("getpagesize", Gives(4096), "4096"),
    *(Row(name, GivesAny(1, 4096), "any number of processors", fidelity=_MORE)
      for name in ("get_nprocs", "get_nprocs_conf")),
    Row("sched_getcpu", GivesAny(0, 4095), "any processor", fidelity=_MORE),
    *(Row(name, InRuntime(), "any number, the same each time" + (", not the process's" if name == "getppid" else ""))
      for name in STABLE),
    Row("gettid", InRuntime(), "in main that of the process; else any other, the same each time; two threads may have "
        "the same", fidelity=_MORE),
    Row("__threadproof_any_process", GivesAny(1, 0x3FFFFF), "a number of a process or thread"),
    Row("__threadproof_any_user", GivesAny(0, 0xFFFFFFFF), "a number of a user or group"),
    *(Row(name, NoMeaning(), "other processes are outside the model", fidelity=Fidelity.UNSUPPORTED)
      for name in ("fork", "vfork", "execve", "execv", "execvp", "execl", "execlp", "system", "popen", "pclose", "wait",
                   "waitpid", "posix_spawn", "shm_open", "mremap")),
)  # fmt: skip

_JUMPS = (
    *(Row(name, Jumps(), "a place to jump back to; a local changed before the jump keeps its new value, which C "
          "leaves open unless it is volatile; locals of blocks live as long as their function", fidelity=_FEWER)
      for name in ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")),
    *(Row(name, Jumps(), "back to the setjmp of a function that has not returned; out of what exit or pthread_once "
          "calls, or where threads are cancelled or have cleanup handlers: unsupported",
          misuse="to a function that has returned, or of another thread: undefined behaviour")
      for name in ("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk")),
)  # fmt: skip

_CATCHES = ("signal", "sigaction", "sigprocmask", "pthread_sigmask")
_INTERNAL = (
    *(
        Row(name, Gives(), "whether a mask or handler takes a signal", runtime_if=_CATCHES)
        for name in ("__threadproof_catch", "__threadproof_catch_for_process")
    ),
    Row("__threadproof_cancel_point", does("cancel_point"), "ends the caller if it was cancelled"),
    Row("__threadproof_sem_wait", does("sem_wait", 0), "for pipes"),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Signals": _SIGNALS,
    "Waiting": _WAITING,
    "Descriptors": _DESCRIPTORS,
    "Sockets": _SOCKETS,
    "Streams": _STREAMS,
    "Files": _FILES,
    "The system": _SYSTEM,
    "Jumps": _JUMPS,
    "Internal to the system's functions": _INTERNAL,
}
