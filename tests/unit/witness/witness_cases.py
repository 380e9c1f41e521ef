"""Programs with a violation, and witnesses of them: what the tests of this folder share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from threadproof import verify
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.core.trace import Trace
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program, Taken
from threadproof.portfolio import prepare

OPTIONS = FrontendOptions(undefined=Taken.PURE)
HEAD = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
BODIES: dict[str, tuple[Property, str]] = {
    "lost update": (
        Property.UNREACH_CALL,
        """void *inc(void *p) {
  int t = x;
  x = t + 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  y = __VERIFIER_nondet_int();
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (y == 5 && x == 1) { reach_error(); }
  return 0;
}
""",
    ),
    "race": (
        Property.NO_DATA_RACE,
        """void *inc(void *p) { x++; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, inc, 0);
  while (y < 3) {
    y++;
  }
  x = 2;
  return 0;
}
""",
    ),
    "race of a thread that has done nothing": (
        Property.NO_DATA_RACE,
        """void *inc(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&a, 0, inc, 0);
  return 0;
}
""",
    ),
    "deadlock": (
        Property.NO_DEADLOCK,
        """void *other(void *p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, other, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  return 0;
}
""",
    ),
    "freed": (
        Property.VALID_MEMSAFETY,
        """int *p;
void *gone(void *q) {
  free(p);
  return 0;
}
int main(void) {
  pthread_t a;
  p = malloc(4);
  pthread_create(&a, 0, gone, 0);
  *p = 1;
  return 0;
}
""",
    ),
    "race inside the library": (
        Property.NO_DATA_RACE,
        """#include <string.h>
char text[8];
void *greets(void *p) {
  strcpy(text, "hello");
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, greets, 0);
  strcpy(text, "bye");
  return 0;
}
""",
    ),
    "deadlock inside the library": (
        Property.NO_DEADLOCK,
        """pthread_mutex_t r;
void *dies(void *p) {
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&r, &robust);
  pthread_create(&a, 0, dies, 0);
  pthread_join(a, 0);
  pthread_mutex_lock(&m);
  return 0;
}
""",
    ),
    "overflow": (
        Property.NO_OVERFLOW,
        """int main(void) {
  x = __VERIFIER_nondet_int();
  if (x < 2000000000)
    return 0;
  y = x + x;
  return 0;
}
""",
    ),
}


@cache
def found(name: str, folder: str) -> tuple[str, Program, Property, Trace]:
    """File, program and a counterexample."""
    prop, body = BODIES[name]
    file = str(Path(folder) / f"{name.replace(' ', '_')}.c")
    Path(file).write_text(HEAD + body, encoding="utf-8")
    [answer] = verify(file, [prop], frontend=OPTIONS, timeout=120, engine="auto")
    assert answer.verdict is Verdict.FALSE, answer.reason
    assert answer.trace is not None
    return file, prepare([file], prop, OPTIONS), prop, answer.trace
