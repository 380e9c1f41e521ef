"""Texts with random choices, run natively: each ends in an error at a line, with values of globals, or without result.

One shared object for all texts; a child process for each run.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sequential_merged import merged
from sequential_outcomes import Outcomes

from threadproof.dev.native import shared_object

_LOADER = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).all_runs(int(sys.argv[2]))"
_HARNESS = r"""
// No headers: texts have types of their own with the names of the C library's.
extern int fork(void), wait(int *), printf(const char *, ...), sprintf(char *, const char *, ...), fflush(void *);
extern int setenv(const char *, const char *, int);
extern unsigned alarm(unsigned);
extern void _exit(int) __attribute__((noreturn));
enum { SIGALRM = 14 };
static void failed_at(int text, int line) { printf("%d failed %d\n", text, line); fflush(0); _exit(0); }
static void show(const char *name, const void *where, unsigned long size) {
  printf(" %s=", name);
  for (unsigned long i = 0; i < size; i++) printf("%02x", ((const unsigned char *)where)[i]);
}
static void run(int (*text)(void), void (*dump)(void), int number, int seed) {
  int status = 0;
  char value[12];
  fflush(0);
  if (fork()) {
    wait(&status);
    if ((status & 127) && (status & 127) != SIGALRM) printf("%d crashed\n", number);
    return;
  }
  sprintf(value, "%d", seed);
  setenv("SEED", value, 1);
  alarm(2);
  text();
  dump();
  fflush(0);
  _exit(0);
}
"""


class Crashed(Exception):
    """A text did what no C program should."""


def runs(texts: Sequence[str], names: set[str], folder: Path, seeds: int) -> list[Outcomes]:
    """What so many runs of each text come to."""
    source = folder / "runs.c"
    source.write_text(_together(texts, sorted(names)), encoding="utf-8")
    native = shared_object([source], folder)
    command = [sys.executable, "-I", "-S", "-c", _LOADER, str(native), str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    found = [Outcomes() for _ in texts]
    for line in done.stdout.splitlines():
        number, how, *rest = line.split()
        match how:
            case "failed":
                found[int(number)].errors.add(int(rest[0]))
            case "ended":
                values = (part.split("=") for part in rest)
                found[int(number)].finals.add(tuple((name, bytes.fromhex(value)) for name, value in values))
            case _:
                raise Crashed(texts[int(number)])
    return found


def _together(texts: Sequence[str], names: list[str]) -> str:
    def change(number: int, source: int, line: str) -> str:
        line = line.replace("reach_error();", f"__failed_at({number}, {source});")
        return re.sub(r"\bexit\(", "__exit(", line)

    parts = [_HARNESS, "#define __failed_at failed_at", "#define __exit _exit", merged(texts, change).text]
    calls: list[str] = []
    for number, text in enumerate(texts):
        known = [name for name in names if re.search(rf"^static .*\b{name}\b[^(]*;", text, re.MULTILINE)]
        shows = " ".join(f'show("{name}", &t{number}_{name}, sizeof t{number}_{name});' for name in known)
        waits = f"for (int i = 1; i < t{number}_THREADS; i++) if (t{number}_pc[i] > 0) _exit(0);"
        parts.append(f'static void end{number}(void) {{ {waits} printf("{number} ended"); {shows} printf("\\n"); }}')
        calls.append(f"    run(t{number}_main, end{number}, {number}, seed);")
    parts += ["int all_runs(int seeds) {", "  for (int seed = 0; seed < seeds; seed++) {", *calls, "  }"]
    return "\n".join([*parts, "  return 0;", "}", ""])
