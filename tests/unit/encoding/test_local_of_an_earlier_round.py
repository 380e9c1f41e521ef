"""A local of an earlier round of a loop, to which only a register still points, is not the local of this round.

The cases are in `tests/regressions`, but of its long list the quick suite asked no engine over letters about the first,
and the sweeps have no pointers to locals of loops.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines import cegar, impact, modular, trace
from threadproof.engines.task import Engine, Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare

pytestmark = pytest.mark.usefixtures("without_pairs")

REGRESSIONS = Path(__file__).parents[2] / "regressions"


@pytest.mark.parametrize("case", ["register-points-to-dead-local", "read-from-a-local-of-a-call"])
@pytest.mark.parametrize("engine", [impact.check, trace.check, cegar.check, modular.check])
def test_it_is_not_proved_valid(engine: Engine, case: str) -> None:
    program = prepare([str(REGRESSIONS / case / "main.c")], Property.UNREACH_CALL, FrontendOptions())
    assert not isinstance(engine(Task(program, Property.UNREACH_CALL), Budget(60), Silent()), Safe)


THREADS = """
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int *first; };
int *kept, other;
static void set(int *r) { *r = 1; }
static void hand_on(int *r) { set(r); }
static void remember(int *r) { kept = r; }
static void hand_on_to_global(int *r) { remember(r); }
static int *same(int *r) { return r; }
static void into(int **to, int *r) { int *own = r; *to = own; }
static void into_pair(struct pair *to, int *r) { struct pair own = { r }; *to = own; }
void *f(void *arg) {
  BEFORE
  for (int i = 0; i < 2; i++) { int x = 0; BODY }
  return 0;
}
int main(void) { f(0); return 0; }
"""
OVER = {
    "given to a call": ("", "set(&x);"),
    "given to a call of a call": ("", "hand_on(&x); set(&x);"),
}
OUTLIVED = {
    "in a local of its own": ("int *p = 0;", "if (p) *p = 2; p = &x;"),
    "returned": ("int *p = 0;", "if (p) *p = 2; p = same(&x);"),
    "in a local of the caller": ("int *p = 0;", "if (p) *p = 2; into(&p, &x);"),
    "in a structure of the caller": ("struct pair p = { 0 };", "if (p.first) *p.first = 2; into_pair(&p, &x);"),
    "in a global": ("kept = &other;", "*kept = 2; remember(&x);"),
    "in a global, by a call of a call": ("kept = &other;", "*kept = 2; hand_on_to_global(&x);"),
}


def _asked(folder: Path, before: str, body: str) -> Task:
    file = folder / "main.c"
    file.write_text(THREADS.replace("BEFORE", before).replace("BODY", body), encoding="utf-8")
    return Task(prepare([str(file)], Property.VALID_MEMSAFETY, FrontendOptions()), Property.VALID_MEMSAFETY)


@pytest.mark.parametrize("how", OVER)
def test_what_calls_were_given_is_forgotten_when_they_are_over(how: str, tmp_path: Path) -> None:
    found = modular.check(_asked(tmp_path, *OVER[how]), Budget(60), Silent())
    assert isinstance(found, Safe), found


@pytest.mark.parametrize("how", OUTLIVED)
@pytest.mark.parametrize("engine", [impact.check, trace.check, modular.check])
def test_what_outlives_a_call_is_not_proved(how: str, engine: Engine, tmp_path: Path) -> None:
    task = _asked(tmp_path, *OUTLIVED[how])
    assert not isinstance(engine(task, Budget(5), Silent()), Safe)
