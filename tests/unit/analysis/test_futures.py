"""Bits of what threads touch next and some day, asked by which accesses meet."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from threadproof.analysis.footprints.futures import ALL, Bits, Futures, Standing, futures
from threadproof.frontend import FrontendOptions, load
from threadproof.ir import instr as ir
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y, z; struct { int a, b; } s; int array[4]; void callee(void); void *other(void *p);
"""
REST = """
void callee(void) { y = 1; }
void *other(void *p) { z = 1; return 0; }
void *user(void *p) { x = 2; y = 2; z = 2; s.a = 2; s.b = 2; array[(long)p] = 2; x = y; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0); pthread_create(&u, 0, user, 0);
    pthread_join(t, 0); return 0;
}
"""


def program_of(body: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(HEAD + "void *work(void *p) { " + body + " return 0; }" + REST, encoding="utf-8")
        return normalise(load([str(path)], FrontendOptions()))


def known_of(body: str) -> tuple[list[ir.Instr], tuple[Standing, ...], Futures]:
    program = program_of(body)
    found = futures(program)
    assert found is not None
    instrs = [instr for block in program.functions["work"].blocks for instr in block.instrs]
    return instrs, found.standing["work"], found


def stores(instrs: list[ir.Instr]) -> list[int]:
    return [at for at, instr in enumerate(instrs) if isinstance(instr, ir.Store)]


def meet(step: Bits, future: Bits) -> bool:
    return bool(future.writes & (step.reads | step.writes) or future.reads & step.writes)


def test_what_is_behind_is_not_in_the_future() -> None:
    instrs, standing, _ = known_of("x = 1; y = 1;")
    first, second = stores(instrs)
    assert meet(standing[first].next, standing[first].ahead[0])
    assert not meet(standing[first].next, standing[second].ahead[0])


def test_a_loop_has_no_behind() -> None:
    instrs, standing, _ = known_of("for (int i = 0; i < 3; i++) { x = 1; y = 1; }")
    first, second = stores(instrs)
    assert meet(standing[first].next, standing[second].ahead[0])


@pytest.mark.parametrize("what", ["callee();", "pthread_t v; pthread_create(&v, 0, other, 0);"])
def test_callees_and_created_threads_count(what: str) -> None:
    instrs, standing, found = known_of(f"x = 1; {what}")
    (first,) = stores(instrs)
    inside = found.standing["callee" if "callee" in what else "other"]
    assert any(meet(one.next, standing[first].ahead[0]) for one in inside)


def test_fields_are_apart_and_elements_are_not() -> None:
    instrs, standing, found = known_of("s.a = 1; array[1] = 1;")
    field, element = stores(instrs)
    program_stores = [one for one in found.standing["user"] if one.next.writes]
    assert sum(meet(standing[field].next, one.next) for one in program_stores) == 1
    assert sum(meet(standing[element].next, one.next) for one in program_stores) == 1


def test_before_a_lock_is_taken() -> None:
    body = "x = 1; pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&n); z = 1;"
    instrs, standing, found = known_of(body)
    first, inside, behind = stores(instrs)
    number = next(n for n, lock in enumerate(found.locks) if lock.name == "m")
    assert meet(standing[inside].next, standing[first].ahead[0])
    assert not meet(standing[inside].next, standing[first].ahead[1 + number])
    assert not standing[first].leaves >> (1 + number) & 1
    assert standing[first].leaves & 1
    assert not standing[first].ahead[1 + number].releases >> number & 1
    assert standing[inside].ahead[1 + number].releases >> number & 1
    assert meet(standing[behind].next, standing[inside].ahead[1 + number])


def test_an_atomic_block_is_one_step() -> None:
    instrs, standing, _ = known_of("__VERIFIER_atomic_begin(); x = 1; callee(); __VERIFIER_atomic_end(); z = 1;")
    begin = next(at for at, i in enumerate(instrs) if isinstance(i, ir.Sync) and i.op == "atomic_begin")
    first, last = stores(instrs)
    assert meet(standing[begin].next, standing[first].next)
    assert standing[begin].next.writes != ALL.writes
    assert not meet(standing[begin].next, standing[last].next)


def test_a_block_that_is_left_may_be_anything() -> None:
    instrs, standing, _ = known_of("__VERIFIER_atomic_begin(); x = 1;")
    begin = next(at for at, i in enumerate(instrs) if isinstance(i, ir.Sync) and i.op == "atomic_begin")
    assert standing[begin].next == ALL


@pytest.mark.parametrize(
    "body",
    [
        "pthread_cancel(pthread_self());",
        "pthread_key_t k; pthread_key_create(&k, free);",
        "extern long __VERIFIER_nondet_long(void); *(int *)__VERIFIER_nondet_long() = 1;",
    ],
)
def test_nothing_is_said(body: str) -> None:
    assert futures(program_of(body)) is None
