"""The engine that explores a sequentialized program: verdicts, bounds that grow, schedules of the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.codegen.sequential import Options, sequentialize
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import seq
from threadproof.portfolio.prepare import prepare

HEAD = """
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m;
int x;
"""
COUNT = (
    HEAD
    + """
void *add(void *arg) {{
  {lock}
  x++;
  {unlock}
  return 0;
}}
int main(void) {{
  pthread_t ids[5];
  int n = 0;
  while (n < {most} && __VERIFIER_nondet_int()) {{ pthread_create(&ids[n], 0, add, 0); n++; }}
  for (int i = 0; i < n; i++) pthread_join(ids[i], 0);
  if (x != n) reach_error();
  return 0;
}}
"""
)
LOCK = {"lock": "pthread_mutex_lock(&m);", "unlock": "pthread_mutex_unlock(&m);"}
DEEP = (
    HEAD
    + """
int sum(int n) { return n ? n + sum(n - 1) : 0; }
void *t(void *arg) { x = sum(10); return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  pthread_join(id, 0);
  if (x != 55) reach_error();
  return 0;
}
"""
)
FOREVER = (
    HEAD
    + """
void *t(void *arg) { x = 1; return 0; }
int main(void) {
  while (1) { pthread_t id; pthread_create(&id, 0, t, 0); pthread_join(id, 0); }
}
"""
)
LEFT_OVER = (
    HEAD
    + """
void set(int *p) { if (x == 1) *p = 5; x++; }
void *t(void *arg) {
  for (int i = 0; i < 2; i++) { int v; set(&v); if (i == 1 && v != 5) reach_error(); }
  return 0;
}
int main(void) {
  pthread_t id;
  x = 1;
  pthread_create(&id, 0, t, 0);
  pthread_join(id, 0);
  return 0;
}
"""
)

WIDE = (
    HEAD
    + """
int seen;
void *t(void *arg) {{ int v = __VERIFIER_nondet_int(); x = v; if (x != v) seen = 1; return 0; }}
void *u(void *arg) {{ x = 3; return 0; }}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, t, 0);
  pthread_create(&b, 0, u, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x {compared}) reach_error();
  return 0;
}}
"""
)


def program(folder: Path, source: str) -> Program:
    path = folder / "main.c"
    path.write_text(source, encoding="utf-8")
    return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())


def ask(read: Program, reduction: str = "") -> Result:
    options = {"reduction": reduction} if reduction else {}
    return seq.check(Task(read, Property.UNREACH_CALL, options=options), Budget(900), Silent())


@pytest.mark.parametrize("reduction", ["local", "conflict", "full"])
def test_false_is_a_schedule_of_the_original(tmp_path: Path, reduction: str) -> None:
    read = program(tmp_path, COUNT.format(lock="", unlock="", most=2))
    found = ask(read, reduction)
    assert isinstance(found, Unsafe)
    assert replay_schedule(read, Property.UNREACH_CALL, found.schedule) is not None


@pytest.mark.parametrize("reduction", ["local", "conflict", "full"])
def test_true_needs_bounds_that_suffice(tmp_path: Path, reduction: str) -> None:
    found = ask(program(tmp_path, COUNT.format(most=2, **LOCK)), reduction)
    assert isinstance(found, Safe)
    assert not found.proof.facts["cut"]


def test_bounds_on_threads_grow(tmp_path: Path) -> None:
    assert isinstance(ask(program(tmp_path, COUNT.format(most=4, **LOCK))), Safe)


def test_bounds_on_recursion_grow(tmp_path: Path) -> None:
    assert isinstance(ask(program(tmp_path, DEEP)), Safe)


def test_a_local_of_a_loop_forgets_what_it_held(tmp_path: Path) -> None:
    assert not isinstance(ask(program(tmp_path, LEFT_OVER)), Safe)


DEAD = {
    "kept by a variable": "int *p = 0; for (int i = 0; i < 2; i++) {{ int v = i; if (i) *p = 5; p = &v; {check} }}",
    "kept by a global": "for (int i = 0; i < 2; i++) {{ int v = i; if (i) *g = 5; g = &v; {check} }}",
}


@pytest.mark.parametrize("place", ["main", "t"])
@pytest.mark.parametrize("what", DEAD)
def test_a_local_of_a_block_that_is_gone_is_not_used(tmp_path: Path, what: str, place: str) -> None:
    """Undefined, and a sequentialized program would not notice."""
    body = {"main": "", "t": "", place: DEAD[what].format(check="if (v == 7) reach_error();")}
    source = f"{HEAD} int *g; void *t(void *arg) {{ {body['t']} return 0; }} int main(void) {{ {body['main']}"
    source += " pthread_t id; pthread_create(&id, 0, t, 0); pthread_join(id, 0); return 0; }"
    assert isinstance(ask(program(tmp_path, source)), Unknown)


def test_a_local_of_main_lives_until_the_end(tmp_path: Path) -> None:
    source = HEAD + "void *t(void *arg) { *(int *)arg = 3; return 0; } int main(void) { int v = 1; pthread_t id;"
    source += " pthread_create(&id, 0, t, &v); pthread_join(id, 0); if (v != 3) reach_error(); return 0; }"
    assert isinstance(ask(program(tmp_path, source)), Safe)


def test_no_bound_is_enough(tmp_path: Path) -> None:
    found = ask(program(tmp_path, FOREVER))
    assert isinstance(found, Unknown)


def test_reductions_pay(tmp_path: Path) -> None:
    read = program(tmp_path, COUNT.format(most=2, **LOCK))
    states = [ask(read, name).stats["states"] for name in ("none", "local", "conflict")]
    assert states[0] > 2 * states[1] > 2 * states[2]


@pytest.mark.parametrize(
    ("compared", "expected"), [("!= 3 && seen", Safe), ("== 3 && seen", Unsafe), ("== 77 + seen * x", Unsafe)]
)
def test_choices_with_too_many_values_are_solved(tmp_path: Path, compared: str, expected: type[Result]) -> None:
    read = program(tmp_path, WIDE.format(compared=compared))
    found = ask(read)
    assert isinstance(found, expected)
    if isinstance(found, Unsafe):
        assert replay_schedule(read, Property.UNREACH_CALL, found.schedule) is not None


PROGRAMS = Path(__file__).parents[2] / "programs"


@pytest.mark.parametrize("name", ["library/realloc-shared", "language/odd-sizes-by-value"])
def test_constructs(name: str) -> None:
    """Programs of the suite that need more of the text than most."""
    for ending, verdict in (("ok", Safe), ("bad", Unsafe)):
        read = prepare([str(PROGRAMS / f"{name}-{ending}" / "main.c")], Property.UNREACH_CALL, FrontendOptions())
        assert isinstance(ask(read), verdict)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    source = "#include <unistd.h>\nint x;\nint main(void) {\n  x = 1;\n  if (x)\n    x = fork();\n  return 0;\n}\n"
    found = ask(program(tmp_path, source))
    assert isinstance(found, Unknown)
    assert "fork" in found.reason
    assert "main.c:6 cannot be written" in found.reason


def test_lines_of_the_text_have_their_threads(tmp_path: Path) -> None:
    """Counterexamples find their way back by these numbers; once the printed text was searched for them."""
    sequential = sequentialize(program(tmp_path, COUNT.format(**LOCK, most=2)), Options())
    lines = dict(enumerate(sequential.text.splitlines(), start=1))
    for thread in range(len(sequential.threads)):
        own = [line for line, owner in sequential.thread_of.items() if owner == thread]
        assert own == list(range(own[0], own[-1] + 1))
        assert f"if (next_thread == {thread}) {{" in lines[own[0] - 1]
        assert lines[own[-1] + 1].startswith("    }")
    asking = {line for line, text in lines.items() if "next_thread = __VERIFIER_nondet" in text}
    assert asking
    assert asking <= sequential.choosing
