"""Guards against overflows, left out for proofs: which they are, what that proves, and that the checker does so too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.automaton import Instance, ProgramAutomaton
from threadproof.automaton.overflow_guards import overflow_guards
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProducts
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines.task import Task
from threadproof.engines.trace import check, engine
from threadproof.evidence.proofs.check import check_proof
from threadproof.evidence.proofs.outcome import Accepted, ProofCheck, Rejected
from threadproof.frontend import FrontendOptions
from threadproof.independence.orders import PreferenceOrder, orders
from threadproof.portfolio.prepare import prepare

HEAD = """
#include <pthread.h>
extern void reach_error(void), abort(void); extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static void assume(int c) { if (!c) abort(); }
static int plus(int a, int b) {
  assume(b >= 0 || a >= -2147483648 - b);
  assume(b <= 0 || a <= 2147483647 - b);
  return a + b;
}
int n, m, p, q, s, t;
static void add(int *to, int more) { __VERIFIER_atomic_begin(); *to = plus(*to, more); __VERIFIER_atomic_end(); }
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  BEGIN
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  if (BAD) reach_error();
  return 0;
}
"""
ONCE = "void *f(void *x) { add(&s, p); return 0; } void *g(void *x) { add(&s, q); return 0; }"
ANY = "p = __VERIFIER_nondet_int(); q = __VERIFIER_nondet_int(); s = t = __VERIFIER_nondet_int();"
SUM = "(unsigned)s != (unsigned)t + (unsigned)p + (unsigned)q"
SPLIT = """
int v[16];
void *f(void *x) { for (int i = 0; i < n; i++) add(&s, v[i]); return 0; }
void *h(void *x) { for (int i = 0; i < m; i++) add(&t, v[i]); return 0; }
void *k(void *x) { for (int i = m; i < n; i++) add(&t, v[i]); return 0; }
int main(void) {
  pthread_t a, b, c;
  m = __VERIFIER_nondet_int(); n = __VERIFIER_nondet_int(); assume(0 <= m && m <= n && n <= 16);
  for (int i = 0; i < 16; i++) v[i] = __VERIFIER_nondet_int();
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, h, 0); pthread_create(&c, 0, k, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
  if (s != t) reach_error();
  return 0;
}
"""


def asked(folder: Path, text: str, begin: str = "", bad: str = "0", prop: Property = Property.UNREACH_CALL) -> Task:
    file = folder / "main.c"
    file.write_text(HEAD + text.replace("BEGIN", begin).replace("BAD", bad), encoding="utf-8")
    return Task(prepare([str(file)], prop, FrontendOptions()), prop)


def proved(task: Task) -> ReducedProducts:
    found = check(task, Budget(300), Silent())
    assert isinstance(found, Safe), found
    assert isinstance(found.proof, ReducedProducts)
    assert isinstance(checked(task, found.proof), Accepted)
    return found.proof


def checked(task: Task, proof: ReducedProducts) -> ProofCheck:
    return check_proof(task.program, task.property, proof, Budget(300))


def claiming(proof: ReducedProducts, dropped: tuple[str, ...]) -> ReducedProducts:
    return ReducedProducts(tuple(replace(part, dropped=dropped) for part in proof.parts))


# --- which they are ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("p >= 0 || q >= -2147483648 - p", True),
        ("p <= 0 || q <= 2147483647 - p", True),
        ("p <= 0 || q >= p - 2147483648", True),
        ("p < 2147483647 && q > -2147483647 - 1", True),
        ("a + b >= a", True),
        ("p >= 0", False),
        ("p != 2147483647", False),
        ("p < q", False),
        ("p < 2147483647 && p != q", False),
        ("p < 2147483647 || s", False),
        ("p + q > 100", False),
    ],
)
def test_guards_against_overflow(tmp_path: Path, condition: str, found: bool) -> None:
    task = asked(
        tmp_path, f"int main(void) {{ unsigned a = p, b = q; assume(a > b); assume(\n{condition}); return 0; }}"
    )
    mine = [line for line in overflow_guards(task.program) if int(line.rsplit(":", 1)[1]) > HEAD.count("\n")]
    assert bool(mine) == found


# --- what they prove --------------------------------------------------------------------------------------------------


def test_a_proof_without_guards_says_so_and_is_none_with_them(tmp_path: Path) -> None:
    """With them, one order may pass where the other does not: the letters that sleep do not commute."""
    task = asked(tmp_path, ONCE + MAIN, ANY, SUM)
    proof = proved(task)
    assert len(proof.dropped) == 2
    assert "without the assumptions at" in proof.facts
    for less in ((), proof.dropped[:1], proof.dropped[1:]):
        found = checked(task, claiming(proof, less))
        assert isinstance(found, Rejected)
        assert "does not commute" in found.why


def test_parts_of_one_proof_leave_out_the_same(tmp_path: Path) -> None:
    proof = proved(task := asked(tmp_path, ONCE + MAIN, ANY, SUM))
    part = proof.parts[0]
    mixed = ReducedProducts((part, replace(part, dropped=())))
    assert isinstance(checked(task, mixed), Rejected)


def test_loops_that_are_split_among_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the order in which one thread goes on where another ended."""

    def groups(automaton: ProgramAutomaton, threads: Sequence[Instance]) -> Mapping[str, PreferenceOrder]:
        return {name: order for name, order in orders(automaton, threads).items() if "h then k" in name}

    monkeypatch.setattr(engine, "orders", groups)
    assert proved(asked(tmp_path, SPLIT)).dropped


@pytest.mark.parametrize("prop", [Property.UNREACH_CALL, Property.NO_OVERFLOW])
def test_guards_that_are_needed_are_kept(tmp_path: Path, prop: Property) -> None:
    """Nobody proves that without them; and who claims to have left them out is refused."""
    begin = "p = __VERIFIER_nondet_int(); s = __VERIFIER_nondet_int(); assume(p > 0);"
    one = "void *f(void *x) { int was = s; t = plus(was, p) > was; return 0; } void *g(void *x) { return 0; }"
    task = asked(tmp_path, one + MAIN, begin, "!t", prop)
    proof = proved(task)
    assert not proof.dropped
    guards = tuple(sorted(overflow_guards(asked(tmp_path, one + MAIN, begin, "!t").program)))
    assert len(guards) == 2
    assert isinstance(checked(task, claiming(proof, guards)), Rejected)


def test_what_goes_wrong_without_guards_is_no_violation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a schedule would be found first."""
    asked_with: list[bool] = []
    real = engine._TraceEngine.run  # pyright: ignore[reportPrivateUsage]

    def run(self: engine._TraceEngine) -> object:  # pyright: ignore[reportPrivateUsage]
        result = real(self)
        asked_with.append(isinstance(result, Unsafe))
        return result

    monkeypatch.setattr(engine._TraceEngine, "run", run)  # pyright: ignore[reportPrivateUsage]
    begin = "p = 2147483647; s = __VERIFIER_nondet_int(); assume(s >= 0);"
    one = "void *f(void *x) { s = plus(s, p); return 0; } void *g(void *x) { return 0; }"
    found = check(asked(tmp_path, one + MAIN, begin, "s < 0"), Budget(300), Silent())
    assert isinstance(found, Safe), found
    assert asked_with == [True, False]
