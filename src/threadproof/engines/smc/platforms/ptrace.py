"""The kernel's side of ptrace, as far as the attack of the paper needs it (its figure 5).

A thread registers a handler for SIGCHLD and attaches to another process, which stops it; the kernel then sends SIGCHLD.
PTRACE_CONT and PTRACE_SYSCALL let the other go on; after PTRACE_SYSCALL its next system call stops it again, and the
tracer is told by another SIGCHLD. A process that is not stopped may make system calls unnoticed.

Processes are threads here: process n is the n-th thread that main creates. They stand still until main calls `start`,
so that they begin together, as the paper's do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from threadproof.core.thread_id import ThreadId
from threadproof.engines.smc.platform import NativeEnvironment, NativeSignal, Platform, PlatformCall, Signal

CONT, ATTACH, DETACH, SYSCALL = 7, 16, 17, 24  # as in Linux's sys/ptrace.h
SIGCHLD = 17
NOBODY = -1  # in the C part


@dataclass(frozen=True, slots=True)
class PtraceKernel:
    started: bool = False
    handler: int = 0
    tracer: ThreadId | None = None
    traced: ThreadId | None = None
    stopped: bool = False
    watches_syscalls: bool = False
    pending: bool = False  # a SIGCHLD that has not been delivered


def start(call: PlatformCall) -> tuple[int, PtraceKernel]:
    return 0, replace(call.env, started=True)


def signal(call: PlatformCall) -> tuple[int, PtraceKernel]:
    kernel: PtraceKernel = call.env
    if call.arg(0) == SIGCHLD:
        return 0, replace(kernel, handler=call.args[1], tracer=call.thread)
    return 0, kernel


def ptrace(call: PlatformCall) -> tuple[int, PtraceKernel]:
    kernel: PtraceKernel = call.env
    process = call.arg(1)
    thread: ThreadId = () if process == 0 else (process - 1,)
    match call.arg(0):
        case n if n == ATTACH:
            return 0, replace(kernel, traced=thread, stopped=True, pending=True, tracer=call.thread)
        case n if n == CONT:
            return 0, replace(kernel, stopped=False, watches_syscalls=False)
        case n if n == SYSCALL:
            return 0, replace(kernel, stopped=False, watches_syscalls=True)
        case n if n == DETACH:
            return 0, replace(kernel, traced=None, stopped=False, watches_syscalls=False)
        case _:
            return (1 << 64) - 1, kernel


def syscall(call: PlatformCall) -> tuple[int, PtraceKernel]:
    kernel: PtraceKernel = call.env
    if call.thread == kernel.traced and kernel.watches_syscalls:
        return 0, replace(kernel, stopped=True, watches_syscalls=False, pending=True)
    return 0, kernel


def syscallend(call: PlatformCall) -> tuple[int, PtraceKernel]:
    return 0, call.env


def active(kernel: PtraceKernel, thread: ThreadId) -> bool:
    if not kernel.started and thread:
        return False
    return not (kernel.stopped and thread == kernel.traced)


def signals(kernel: PtraceKernel) -> list[Signal]:
    if not kernel.pending or not kernel.handler or kernel.tracer is None:
        return []
    return [Signal(kernel.tracer, kernel.handler, (SIGCHLD,), replace(kernel, pending=False))]


platform = Platform(
    functions={"start": start, "signal": signal, "ptrace": ptrace, "syscall": syscall, "syscallend": syscallend},
    declarations="""
        void start(void);
        void *signal(int number, void *handler);
        long ptrace(int request, int process);
        void syscall(void);
        void syscallend(void);
    """,
    initial=PtraceKernel,
    active=active,
    signals=signals,
    native=NativeEnvironment(
        fields={
            "started": 0,
            "handler": 0,
            "tracer": NOBODY,
            "traced": NOBODY,
            "stopped": 0,
            "watches": 0,
            "pending": 0,
        },
        functions={
            "start": "env->started = 1;",
            "signal": f"if (ARG(0) == {SIGCHLD}) {{ env->handler = args[1]; env->tracer = thread; }}",
            "ptrace": f"""
                switch (ARG(0)) {{
                case {ATTACH}:
                    env->traced = PROCESS(ARG(1)); env->tracer = thread; env->stopped = env->pending = 1; break;
                case {CONT}: env->stopped = env->watches = 0; break;
                case {SYSCALL}: env->stopped = 0; env->watches = 1; break;
                case {DETACH}: env->traced = {NOBODY}; env->stopped = env->watches = 0; break;
                default: RESULT(-1);
                }}""",
            "syscall": """
                if (thread == env->traced && env->watches) { env->stopped = env->pending = 1; env->watches = 0; }""",
            "syscallend": "",
        },
        active="(env->started || !thread) && !(env->stopped && thread == env->traced)",
        signals=(
            NativeSignal(
                when=f"env->pending && env->handler && env->tracer != {NOBODY}",
                thread="env->tracer",
                handler="env->handler",
                args=(str(SIGCHLD),),
                then="env->pending = 0;",
            ),
        ),
    ),
)
