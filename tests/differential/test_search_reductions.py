"""The native search with its reductions against the search without; `search_reductions.py 0 300` compares at length."""

from __future__ import annotations

from dataclasses import replace

import pytest
from comparison import read
from search_reductions import SHAPE, TINY, alike, asked, compare, fitting, forms

from threadproof.analysis.footprints.futures import Futures, Standing, futures
from threadproof.analysis.footprints.touch_bits import Bits
from threadproof.core.property import Property
from threadproof.dev.programs.generate import generate, generate_tiny
from threadproof.engines.explicit.search import Fold, SearchEnd, SearchReduction
from threadproof.engines.task import Task
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y, z, a[4];
"""
TWO = """
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);
    pthread_join(t, 0); pthread_join(u, 0);
    %s
    return 0;
}
"""


def two(first: str, second: str, at_end: str = "") -> str:
    routines = f"void *first(void *p) {{ {first} return 0; }}\nvoid *second(void *p) {{ {second} return 0; }}\n"
    return HEAD + routines + TWO % at_end


NESTED = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
REACH, RACE, DEADLOCK = Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK
VIOLATED = {
    "error beside an end of the program": (REACH, two("exit(0);", "reach_error();")),
    "error beside the end of main": (
        REACH,
        HEAD + "void *f(void *p) { x = 1; reach_error(); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
    ),
    "error beside a failing assumption": (REACH, two("__VERIFIER_assume(0);", "x = 1; reach_error();")),
    "error beside an endless loop": (REACH, two("while (1) { x = 1; x = 0; }", "y = 1; reach_error();")),
    "unlocked by somebody else": (
        REACH,
        two(LOCKED.format("x = 1; if (x != 1) reach_error();"), "pthread_mutex_unlock(&m);" + LOCKED.format("x = 2;")),
    ),
    "a lock that does not protect": (REACH, two(LOCKED.format("x = 1; if (x != 1) reach_error();"), "x = 2;")),
    "overwritten by a plain store": (
        REACH,
        two(LOCKED.format("x = 1; if (x != 1) reach_error();"), "*(int *)&m = 0;" + LOCKED.format("x = 2;")),
    ),
    "tried, not waited for": (
        REACH,
        two(LOCKED.format("x = 1; x = 2;"), "if (pthread_mutex_trylock(&m)) { if (x == 1) reach_error(); }"),
    ),
    "given up while waiting": (
        REACH,
        two(
            LOCKED.format("x = 1; pthread_cond_wait(&c, &m); if (x == 2) reach_error();"),
            LOCKED.format("if (x) { x = 2; pthread_cond_signal(&c); }"),
        ),
    ),
    "through a callee": (
        REACH,
        "void touch(void);\n"
        + two(LOCKED.format("x = 1; if (x != 1) reach_error();"), "y = 1; touch();")
        + "void touch(void) { x = 2; }",
    ),
    "in a thread created meanwhile": (
        REACH,
        "void *third(void *);\n"
        + two("x = 1; if (x != 1) reach_error();", "pthread_t v; pthread_create(&v, 0, third, 0);")
        + "void *third(void *p) { x = 2; return 0; }",
    ),
    "inside an atomic block": (
        REACH,
        two("x = 1; if (x != 1) reach_error();", "__VERIFIER_atomic_begin(); y = 1; x = 2; __VERIFIER_atomic_end();"),
    ),
    "through a pointer": (REACH, two("x = 1; if (x != 1) reach_error();", "int *q = y ? &y : &x; *q = 2;")),
    "race behind a lock": (RACE, two(LOCKED.format("y = 1;") + "x = 1;", LOCKED.format("z = 1;") + "x = 2;")),
    "race on an element": (RACE, two("a[1] = 1;", "for (int i = 0; i < 3; i++) a[i] = 2;")),
    "race with the creator": (
        RACE,
        HEAD + "void *f(void *p) { y = 1; x = 1; return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); z = 1; x = 2; return 0; }",
    ),
    "locks in opposite order": (
        DEADLOCK,
        two(
            "pthread_mutex_lock(&m); x = 1; pthread_mutex_lock(&n);",
            "pthread_mutex_lock(&n); y = 1; pthread_mutex_lock(&m);",
        ),
    ),
    "lost wake-up": (
        DEADLOCK,
        two("pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);", "x = 1; pthread_cond_signal(&c);"),
    ),
}
HOLDS = {
    "protected": (REACH, two(*[LOCKED.format("x++; y++;")] * 2, "if (x != 2 || y != 2) reach_error();")),
    "protected, no race": (RACE, two(*[LOCKED.format("x++; y++;")] * 2)),
    "apart": (REACH, two("x++; x++; x++;", "y++; y++; y++;", "if (x + y != 6) reach_error();")),
    "in one order": (DEADLOCK, two(NESTED, NESTED)),
}


def said(
    program: Program, prop: Property, reduction: SearchReduction, known: Futures | None, fold: Fold = Fold.SYMMETRIC
) -> SearchEnd:
    machine = fitting(Task(program, prop))
    assert machine is not None
    found = asked(machine, prop, (reduction, fold), known)
    assert found is not None
    return found.end


@pytest.mark.parametrize("reduction", SearchReduction)
@pytest.mark.parametrize("name", VIOLATED)
def test_found(name: str, reduction: SearchReduction) -> None:
    prop, source = VIOLATED[name]
    program = normalise(read(source))
    assert said(program, prop, reduction, futures(program)) is SearchEnd.VIOLATED


@pytest.mark.parametrize("reduction", SearchReduction)
@pytest.mark.parametrize("name", HOLDS)
def test_not_found(name: str, reduction: SearchReduction) -> None:
    prop, source = HOLDS[name]
    program = normalise(read(source))
    assert said(program, prop, reduction, futures(program)) is SearchEnd.DONE


def test_threads_apart_are_not_interleaved() -> None:
    _, states = compare(normalise(read(HOLDS["apart"][1])), REACH)
    assert states[SearchReduction.PERSISTENT] * 2 < states[SearchReduction.LOCAL]


def without_futures(one: Standing) -> Standing:
    return replace(one, ahead=tuple(Bits() for _ in one.ahead))


def without_releases(one: Standing) -> Standing:
    return replace(one, ahead=tuple(bits._replace(releases=0) for bits in one.ahead))


def without_leaving(one: Standing) -> Standing:
    return replace(one, leaves=0)


def without_writes(one: Standing) -> Standing:
    return replace(one, next=one.next._replace(writes=0))


ALIKE = HEAD + (
    "void *f(void *p) { x++; y = x; return 0; }\n"
    "int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); pthread_exit(0); }"
)
TOLD_APART = HEAD + (
    "void *f(void *p) { while (!z) ; __VERIFIER_atomic_begin(); int k = ++x; __VERIFIER_atomic_end();\n"
    "  y = 1; if (k == 1 && (long)pthread_self() == HANDLE) reach_error(); return 0; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);\n"
    "  z = 1; pthread_exit(0); }"
)
CALLED = HEAD + (
    "static void deep(void) { z++; }\nvoid *first(void *p) { deep(); x = 1; return 0; }\n"
    "void *second(void *p) { x = 2; if (x != 2) reach_error(); return 0; }\n"
) + TWO % ""  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        (without_futures, VIOLATED["a lock that does not protect"][1]),
        (without_releases, VIOLATED["unlocked by somebody else"][1]),
        (without_leaving, CALLED),
        (without_writes, two("x = 1;", "if (!x) reach_error();")),
    ],
)
def test_wrong_futures_are_caught(wrong: object, source: str) -> None:
    """The comparison can fail: with too small futures the violation is missed."""
    program = normalise(read(source))
    known = futures(program)
    assert known is not None
    assert said(program, REACH, SearchReduction.PERSISTENT, known) is SearchEnd.VIOLATED
    spoilt = {name: tuple(map(wrong, all_)) for name, all_ in known.standing.items()}  # type: ignore[arg-type]
    assert said(program, REACH, SearchReduction.PERSISTENT, replace(known, standing=spoilt)) is SearchEnd.DONE


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_reduced(seed: int) -> None:
    same(generate(seed, SHAPE), seed)


@pytest.mark.parametrize("seed", range(40))
def test_tiny_programs_reduced(seed: int) -> None:
    same(generate_tiny(seed, TINY), seed)


@pytest.mark.parametrize("seed", range(30))
def test_symmetric_programs_folded(seed: int) -> None:
    same(alike(seed), seed)


def test_permuted_states_are_one() -> None:
    program = normalise(read(ALIKE))
    known = futures(program)
    assert known is not None
    assert known.symmetric
    machine = fitting(Task(program, REACH))
    assert machine is not None
    plain, folded = (asked(machine, REACH, (SearchReduction.NONE, fold), known) for fold in Fold)
    assert plain is not None
    assert folded is not None
    assert folded.states * 4 < plain.states


def test_wrong_symmetry_is_caught() -> None:
    """Whoever looks at a handle tells threads apart: one of two errors is missed if they are folded all the same."""
    found: list[SearchEnd] = []
    for handle in (2, 4):
        program = normalise(read(TOLD_APART.replace("HANDLE", str(handle))))
        known = futures(program)
        assert known is not None
        assert not known.symmetric
        assert said(program, REACH, SearchReduction.NONE, known) is SearchEnd.VIOLATED
        found.append(said(program, REACH, SearchReduction.NONE, replace(known, symmetric=True)))
    assert SearchEnd.DONE in found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_reduced_at_length(seed: int) -> None:
    same(generate_tiny(seed, TINY) if seed % 2 else generate(seed, SHAPE), seed)


def same(source: str, seed: int) -> None:
    for program, properties in forms(source, seed):
        for prop in properties:
            differences, _ = compare(program, prop)
            assert not differences, "\n".join([*differences, source])
