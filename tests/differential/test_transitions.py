"""Letters as formulas against the reference machine, on a sample; `transitions_sweep.py` takes more.

Planted faults must show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from comparison import read
from samples import SHAPES
from transitions_sweep import compare_case
from transitions_walk import compare

from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.frontend.options import Locals
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import normalise
from threadproof.smt.term import BOOL, Op, Term

TESTS = Path(__file__).parents[1]
CASES = [
    "litmus/two-waiters-signal",
    "litmus/barrier-pairs",
    "litmus/atomic-assume",
    "litmus/create-in-thread",
    "litmus/timed-locks",
    "programs/memsafety/member-string-too-short",  # bytes at any offset are a part, too
]
SEEDS = {"tiny": range(5), "larger": range(2, 4), "threaded": range(2)}


MENDED = [
    (
        "threaded",
        30,
    ),  # a thread that was never started had the addresses of another, created at the same place
    ("tiny", 98),  # what sem_getvalue stores is an access
]


@pytest.mark.parametrize(("shape", "seed"), MENDED)
def test_differences_that_were_mended(shape: str, seed: int) -> None:
    assert compare(normalise(read(SHAPES[shape](seed)))).differences == []


ALLOCATORS = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
int *a, *b, *c; pthread_t t;
int *make(int n) {
    int *p = malloc(4 * n);
    for (int i = 0; i < n; i++) p[i] = i;
    return p;
}
int **boxed(int n) { int **box = malloc(sizeof *box); *box = make(n); return box; }
void *work(void *given) { b[0] = a[1] + **(int **)given; free(given); return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 < n && n < 4);
    a = make(n); b = make(2); int **box = boxed(n); c = *boxed(1);
    pthread_create(&t, 0, work, box);
    c[0] = a[n - 1];
    pthread_join(t, 0);
    free(a); free(b);
    a[0] = 3;
    return 0;
}
"""


SCOPES = """
#include <pthread.h>
int n = 2, x;
void *work(void *given) { x = x + 1; return 0; }
int main(void) {
    for (int i = 0; i < n; ++i) {
        pthread_t t;
        int inner[i + 1];
        pthread_create(&t, 0, work, inner);
        if (i == 1) { long more; int *p = (int *)&more; *p = 1; inner[0] = *p; }
        pthread_join(t, 0);
    }
    pthread_t t;
    { int tail[n]; tail[1] = 3; x = tail[1]; }
    return 0;
}
"""


def test_locals_that_end_with_their_block() -> None:
    found = compare(normalise(read(SCOPES, scopes=Locals.BLOCK)), 3)
    assert found.differences == []
    assert not found.refused
    assert found.letters > 20


@pytest.mark.parametrize("model", DataModel)
def test_functions_that_allocate(model: DataModel) -> None:
    program = normalise(read(ALLOCATORS, data_model=model))
    found = compare(program, 4)
    assert found.differences == []
    assert found.letters > 40
    assert found.trapped > 0


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    return [normalise(read(SHAPES[shape](seed))) for shape, seeds in SEEDS.items() for seed in seeds]


def test_letters_are_what_the_machine_does(programs: list[Program]) -> None:
    for program in programs:
        found = compare(program, 2)
        assert found.differences == []
        assert found.letters > 10


def wrong_value(transition: Transition) -> Transition:
    """An update gives one more."""

    def more(value: Term) -> Term:
        terms = transition.terms
        if value.sort is BOOL:
            return terms.not_(value)
        return value if value.op in (Op.STORE, Op.FILL) else terms.add(value, terms.bv(1, value.width))

    return replace(transition, updates={v: more(new) for v, new in transition.updates.items() if _is_plain(new)})


def _is_plain(value: Term) -> bool:
    return hasattr(value.sort, "width") or value.sort is BOOL


def forgotten_update(transition: Transition) -> Transition:
    return replace(transition, updates=dict(list(transition.updates.items())[1:]))


def no_guard(transition: Transition) -> Transition:
    return replace(transition, guard=transition.terms.not_(transition.trapped))


def never(transition: Transition) -> Transition:
    return replace(transition, guard=transition.terms.false)


def no_traps(transition: Transition) -> Transition:
    return replace(transition, traps=())


def traps_too_often(transition: Transition) -> Transition:
    wrong = (trap for trap in transition.traps if not isinstance(trap.what, NotEncoded))
    traps = tuple(TransitionTrap(transition.terms.true, trap.what, trap.step) for trap in wrong)
    return replace(transition, traps=traps)


def rarely_refused(transition: Transition) -> Transition:
    """Not possible for one value in four thousand million: no walk meets it, a model does."""
    numbers = [v for v in transition.reads if getattr(v.sort, "width", 0) == 32]
    if not numbers:
        return transition
    terms, variable = transition.terms, min(numbers, key=lambda v: v.name)
    return replace(transition, guard=terms.and_(transition.guard, terms.ne(variable, terms.bv(0x1234567, 32))))


FAULTS = [wrong_value, forgotten_update, no_guard, never, no_traps, traps_too_often, rarely_refused]


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_show(programs: list[Program], fault: Callable[[Transition], Transition]) -> None:
    assert any(compare(program, 2, plant=fault).differences for program in programs)


@pytest.mark.parametrize("case", CASES)
def test_programs_of_the_suite(case: str) -> None:
    found = compare_case(TESTS / case / "main.c")
    assert found.differences == []
    assert found.letters > 10
