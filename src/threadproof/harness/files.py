"""The files of a harness: the tables of the schedule with what reads them, a Makefile, and a script for gdb."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from threadproof.core.property import Property
from threadproof.core.thread_id import name
from threadproof.core.trace import Trace
from threadproof.harness.recording import Recording, recorded
from threadproof.ir.program import Program

STEERED = (Property.UNREACH_CALL, Property.NO_DEADLOCK)
WRAPPED = (
    *(f"pthread_{f}" for f in ("create", "join", "exit")),
    *(f"pthread_cond_{f}" for f in ("wait", "timedwait", "signal", "broadcast", "init", "destroy")),
    *(f"pthread_mutex_{f}" for f in ("init", "destroy", "lock", "trylock", "timedlock", "unlock")),
    *(f"pthread_spin_{f}" for f in ("init", "destroy", "lock", "trylock", "unlock")),
    *(f"pthread_rwlock_{f}" for f in ("init", "destroy", "rdlock", "wrlock", "tryrdlock", "trywrlock", "unlock")),
    *(f"pthread_barrier_{f}" for f in ("init", "destroy", "wait")),
    *(f"sem_{f}" for f in ("init", "destroy", "wait", "trywait", "post", "getvalue")),
    "__assert_fail",
    "abort",
)
_NONDETS = {
    "bool": "_Bool",
    "char": "char",
    "int": "int",
    "long": "long",
    "longlong": "long long",
    "short": "short",
    "size_t": "unsigned long",
    "uchar": "unsigned char",
    "uint": "unsigned",
    "ulong": "unsigned long",
    "ulonglong": "unsigned long long",
    "unsigned": "unsigned",
    "unsigned_int": "unsigned",
    "ushort": "unsigned short",
    "u32": "unsigned",
    "pchar": "char *",
    "pointer": "void *",
    "loff_t": "long",
    "sector_t": "unsigned long",
    "pthread_t": "unsigned long",
}
_MAKEFILE = """# `make` compiles the program and runs it along the counterexample. It succeeds if the violation is
# shown, which `./harness` says by exit code 1, each time.
CC = gcc
SOURCES = {sources}
CFLAGS = -g -O0 -w -pthread -fgnu89-inline {flags}
STEERED = -fsanitize=thread -finstrument-functions -fno-builtin
WRAPPED = {wrapped}

run: harness
\t@./harness; code=$$?; if [ $$code -ne 1 ]; then echo "not reproduced: ./harness ended with $$code"; exit 1; fi

harness: harness.c $(SOURCES) Makefile
{objects}
\t$(CC) -g -O0 -w -pthread -c harness.c -o harness.o
\t$(CC) -pthread {names} harness.o -o harness $(foreach f,$(WRAPPED),-Wl,--wrap=$(f)) -lm

debug: harness
\tgdb -q -x threadproof.gdb ./harness

clean:
\trm -f harness harness.o {names}

.PHONY: run debug clean
"""
_GDB = """# Stops whenever another thread goes on: `continue` goes to the next change, `bt` shows where it stands.
set pagination off
set breakpoint pending on
break tp_switch
commands
silent
printf "thread %d goes on, event %d, line %d: %s\\n", thread, event, line, what
up 4
end
run
"""


def remove_harness(folder: str) -> None:
    """What an earlier run wrote there, and what its Makefile made; nothing else."""
    steering = Path(folder) / "harness.c"
    if not steering.is_file() or "#define TP_THREADS" not in steering.read_text(encoding="utf-8", errors="replace"):
        return
    for written in ("harness", "harness.o", "Makefile", "threadproof.gdb", "harness.c"):
        (Path(folder) / written).unlink(missing_ok=True)
    for made in Path(folder).glob("program*.o"):
        made.unlink()


def write_harness(
    folder: str, program: Program, prop: Property, trace: Trace, files: Sequence[str], flags: Sequence[str] = ()
) -> None:
    """`flags` are for gcc: macros, folders of headers."""
    os.makedirs(folder, exist_ok=True)
    recording = recorded(program, prop, trace, files)
    steering = (Path(__file__).parent / "steering.c").read_text(encoding="utf-8")
    texts = {
        "harness.c": _tables(recording, prop, trace) + steering + _outside(recording),
        "Makefile": _makefile(folder, files, flags),
        "threadproof.gdb": _GDB,
    }
    unfinished: dict[Path, Path] = {}
    try:
        for file, text in texts.items():
            part = Path(folder) / f".{file}.{os.getpid()}.part"
            unfinished[part] = Path(folder) / file
            part.write_text(text, encoding="utf-8")
        for part, whole in unfinished.items():
            part.replace(whole)
    finally:  # all of it or nothing
        for part in unfinished:
            part.unlink(missing_ok=True)


def _makefile(folder: str, files: Sequence[str], flags: Sequence[str]) -> str:
    sources = [os.path.relpath(file, folder) for file in files]
    names = [f"program{index}.o" for index in range(len(files))]
    objects = [
        f"\t$(CC) $(CFLAGS) $(STEERED) -x c -c {_for_shell(source)} -o {made}"
        for source, made in zip(sources, names, strict=True)
    ]
    return _MAKEFILE.format(
        sources=" ".join(map(_for_make, sources)),
        flags=" ".join(map(_for_shell, flags)),
        wrapped=" ".join(WRAPPED),
        objects="\n".join(objects),
        names=" ".join(names),
    )


def _for_shell(word: str) -> str:
    """In a line of a Makefile that a shell reads."""
    return shlex.quote(word).replace("$", "$$")


def _for_make(path: str) -> str:
    """As the name of a file that make looks for."""
    return path.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")


def _tables(recording: Recording, prop: Property, trace: Trace) -> str:
    numbers = {thread: index for index, thread in enumerate(recording.threads)}
    threads = [
        f"  {{{numbers[one[:-1]] if one else -1}, {one[-1] if one else 0}}}, /* {name(one)} */"
        for one in recording.threads
    ]
    objects = [f"  {{0, {max(one.size, 1)}}}, /* {_comment(one.name)} */" for one in recording.objects]
    events = [
        f"  {{{e.thread}, '{e.kind}', {e.size}, {e.object}, {e.offset}, {e.line}, {e.value}, {_string(e.what)}}},"
        for e in recording.events
    ]
    nondets = [f"  {{{one.thread}, {_long(one.value)}, {_string(one.function)}}}," for one in recording.nondets]
    symbols = [(index, one.symbol) for index, one in enumerate(recording.objects) if one.symbol]
    declared = [f'extern char tp_symbol{i} __asm__("{symbol}") __attribute__((weak));' for i, symbol in symbols]
    bound = [f"  tp_objects[{i}].base = &tp_symbol{i};" for i, _ in symbols]
    lines = [
        f"/* {_comment(trace.cause)} */",
        f"#define TP_THREADS {len(recording.threads)}",
        f"#define TP_OBJECTS {len(recording.objects)}",
        f"#define TP_EVENTS {len(recording.events)}",
        f"#define TP_NONDETS {len(recording.nondets)}",
        f"#define TP_LAST_THREAD {recording.last_thread}",
        f"#define TP_DEADLOCK {int(prop is Property.NO_DEADLOCK)}",
        f"#define TP_POINTER {recording.pointer}",
        "static const struct { int parent, child; } tp_threads[] = {",
        *threads,
        "};",
        "static struct { char *base; long size; } tp_objects[] = {",
        *objects,
        "  {0, 0}};",
        "static const struct tp_event { int thread; char kind; int size, object; long offset; int line; long value;",
        "  const char *what; } tp_events[] = {",
        *events,
        '  {-1, 0, 0, 0, 0, 0, 0, ""}};',
        "static const struct { int thread; long value; const char *of; } tp_nondets[] = {",
        *nondets,
        '  {-1, 0, ""}};',
        *declared,
        "static void tp_bind(void) {",
        *bound,
        "}",
        "",
    ]
    return "\n".join(lines)


def _outside(recording: Recording) -> str:
    """Functions whose values the schedule gives; the program's own come first."""
    lines = ["", "/* Values of the schedule. */"]
    for kind, ctype in _NONDETS.items():
        given = f"__VERIFIER_nondet_{kind}"
        lines.append(f'{ctype} __attribute__((weak)) {given}(void) {{ return ({ctype})tp_nondet("{given}"); }}')
    known = {f"__VERIFIER_nondet_{kind}" for kind in _NONDETS}
    for function in recording.outside:
        if function not in known:
            lines.append(f'long __attribute__((weak)) {function}() {{ return tp_nondet("{function}"); }}')
    return "\n".join(lines) + "\n"


def _long(value: int) -> str:
    return str(value) if -(1 << 63) < value < 1 << 63 else f"(long){value & ((1 << 64) - 1)}ul"


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")
