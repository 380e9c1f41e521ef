"""Programs whose size is a number, with the verdict of `unreach-call`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

PRELUDE = "#include <pthread.h>\nextern void reach_error(void);\n"
LOCK = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"


def started(routines: Sequence[str], *, joined: bool = True) -> str:
    """Creates a thread for each routine, and waits for all."""
    count = len(routines)
    creates = "".join(f"  pthread_create(&t[{n}], 0, {name}, 0);\n" for n, name in enumerate(routines))
    joins = "".join(f"  pthread_join(t[{n}], 0);\n" for n in range(count)) if joined else ""
    return f"  pthread_t t[{count}];\n{creates}{joins}"


def fibonacci(size: int, verdict: str = "true") -> str:
    """Two threads add to each other's variable; the largest sum is asserted (true), or one less (false)."""
    a, b = 1, 1
    for _ in range(2 * size):
        a, b = b, a + b
    worst = b if verdict == "true" else b - 1
    return f"""{PRELUDE}int i = 1, j = 1;
void *f(void *a) {{ for (int k = 0; k < {size}; k++) i += j; return 0; }}
void *g(void *a) {{ for (int k = 0; k < {size}; k++) j += i; return 0; }}
int main(void) {{
{started("fg", joined=False)}  int x = i, y = j;
  if (x > {worst} || y > {worst}) reach_error();
  return 0;
}}
"""


def counter(threads: int, times: int, off: int = 0) -> str:
    """All threads count under one lock; `off` makes the assertion wrong."""
    return f"""{PRELUDE}{LOCK}int c;
void *f(void *a) {{
  for (int k = 0; k < {times}; k++) {{ pthread_mutex_lock(&m); c = c + 1; pthread_mutex_unlock(&m); }}
  return 0;
}}
int main(void) {{
{started(["f"] * threads)}  if (c != {threads * times + off}) reach_error();
  return 0;
}}
"""


def stack(pushes: int) -> str:
    """One thread pushes under a lock, the other pops."""
    return f"""{PRELUDE}{LOCK}int s[{pushes}], top;
void *f(void *a) {{
  for (int k = 0; k < {pushes}; k++) {{
    pthread_mutex_lock(&m);
    if (top == {pushes}) reach_error();
    s[top++] = k;
    pthread_mutex_unlock(&m);
  }}
  return 0;
}}
void *g(void *a) {{
  for (int k = 0; k < {pushes}; k++) {{
    pthread_mutex_lock(&m);
    if (top > 0 && s[--top] > {pushes}) reach_error();
    pthread_mutex_unlock(&m);
  }}
  return 0;
}}
int main(void) {{
{started("fg")}  return 0;
}}
"""


def writers(threads: int) -> str:
    """Each thread writes its own number to one variable."""
    routines = [f"w{n}" for n in range(1, threads + 1)]
    texts = "".join(f"void *w{n}(void *a) {{ x = {n}; return 0; }}\n" for n in range(1, threads + 1))
    return f"""{PRELUDE}int x;
{texts}int main(void) {{
{started(routines)}  if (x < 1 || x > {threads}) reach_error();
  return 0;
}}
"""


def modules(size: int) -> str:
    """Program text that grows: modules with a lock, a variable and a function of their own, used by two threads."""
    texts = "".join(
        f"pthread_mutex_t m{n} = PTHREAD_MUTEX_INITIALIZER;\nint v{n};\n"
        f"void use{n}(void) {{ pthread_mutex_lock(&m{n}); v{n} = v{n} + 1; pthread_mutex_unlock(&m{n}); }}\n"
        for n in range(size)
    )
    calls = " ".join(f"use{n}();" for n in range(size))
    return f"""{PRELUDE}{texts}void *f(void *a) {{ {calls} return 0; }}
int main(void) {{
{started("ff")}  if (v{size - 1} != 2) reach_error();
  return 0;
}}
"""


class ProgramFamily(NamedTuple):
    text: Callable[[int], str]
    verdict: str
    across: str  # what the number is
    sizes: tuple[int, ...]


FAMILIES = {
    "fib": ProgramFamily(fibonacci, "true", "rounds of two threads", (4, 5, 6, 7, 8, 9)),
    "fib-false": ProgramFamily(lambda n: fibonacci(n, "false"), "false", "rounds of two threads", (4, 5, 6, 7, 8, 9)),
    "counter-threads": ProgramFamily(lambda n: counter(n, 2), "true", "threads", (2, 4, 8, 16, 32, 64)),
    "counter-false": ProgramFamily(lambda n: counter(n, 2, 1), "false", "threads", (2, 4, 8, 16, 32, 64)),
    "counter-rounds": ProgramFamily(
        lambda n: counter(2, n), "true", "rounds of two threads", (2, 4, 8, 16, 32, 64, 128)
    ),
    "stack": ProgramFamily(stack, "true", "pushes and pops", (3, 5, 10, 20, 40)),
    "writers": ProgramFamily(writers, "true", "threads", (2, 4, 8, 16, 32, 64)),
    "modules": ProgramFamily(modules, "true", "modules of three lines", (2, 8, 32, 128, 512)),
}
