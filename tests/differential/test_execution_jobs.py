"""Several workers of the stateless search say and count what one does; workers that lose executions are noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from comparison import read
from execution_jobs import LARGE, Explored, compare, explored, questions, same
from reductions import spurious_of

from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.dev.programs.generate import TINY, generate_tiny
from threadproof.engines.dpor import native
from threadproof.engines.dpor.native import DporReduction
from threadproof.engines.dpor.search import check
from threadproof.engines.dpor.stateless import Settings, machine_for
from threadproof.engines.task import Task
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Spurious

"""Three threads that write, add to and read the same variables in different orders."""
SHARING = """
#include <pthread.h>
int x, y = 1, z, seen[3];
void *f(void *p) { x = 1; z = 1; seen[0] = y; return 0; }
void *g(void *p) { seen[1] = z; seen[1] = x; y = 2; return 0; }
void *h(void *p) { x = 3; y = 3; seen[2] = z; return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, g, 0); pthread_create(&t[2], 0, h, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""
"""Values that are chosen, so that a step has several ways."""
CHOOSING = SHARING.replace("int x,", "_Bool __VERIFIER_nondet_bool(void); int x,").replace(
    "y = 2; return", "y = __VERIFIER_nondet_bool(); return"
)
GENEROUS = Settings(DporReduction.OPTIMAL, slice=200, gives_after=0, ends=10_000)


def machine_of(source: str) -> NativeMachine:
    return machine_for(normalise(read(source)), Spurious.OFF)


def by(jobs: int, source: str) -> Explored:
    """By so many workers; all of which had something to do, if it is possible at all."""
    machine = machine_of(source)
    for _ in range(50):
        found = explored(machine, Property.NO_OVERFLOW, replace(GENEROUS, jobs=jobs))
        assert found is not None
        if all(found.shares):
            break
    return found


@pytest.mark.parametrize("seed", [0, 1, 4, 5, 8, 9])
def test_random_programs(seed: int) -> None:
    machine = machine_for(normalise(read(generate_tiny(seed, LARGE if seed % 2 else TINY))), spurious_of(seed))
    for prop, reduction in questions(machine):
        assert compare(machine, prop, reduction)[0] == ""


@pytest.mark.parametrize("source", [SHARING, CHOOSING])
def test_each_execution_is_made_once(source: str) -> None:
    alone = by(1, source)
    assert alone.executions > 50
    for jobs in (2, 3):
        several = by(jobs, source)
        assert all(several.shares)
        assert same(alone, several, DporReduction.OPTIMAL)


def test_a_bound_on_preemptions_is_for_one_worker() -> None:
    task = Task(normalise(read(SHARING)), Property.UNREACH_CALL, options={"preemptions": 1, "jobs": 2})
    with pytest.raises(InputError, match="--preemptions does not go with --jobs"):
        check(task, Budget(5), Silent())


# --- planted mistakes ------------------------------------------------------------------------------------------------


FAULTS = {
    "what is planned at a junction is lost": (
        "    plan(D, n, &v, D->events[first].turn);",
        "    if (!n->shared) plan(D, n, &v, 0);",
    ),
    "a branch that was begun covers what leads through it": (
        "if (!w->home) return w->child && insert(D, &w->child, v);",
        "if (w->home || !w->child) return 0;",
    ),
    "nobody goes back to what was planned behind a branch": ("w->waits |= (u32)grown;", ""),
}
"""Text of the kernel, and what stands there instead."""


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    right, wrong = FAULTS[request.param]
    true_kernel = native.search_kernel

    def spoilt(room: str, *names: str) -> str:
        text = true_kernel(room, *names)
        assert text.count(right) == 1
        return text.replace(right, wrong)

    monkeypatch.setattr(native, "search_kernel", spoilt)
    native.search_library.cache_clear()
    yield
    native.search_library.cache_clear()


@pytest.mark.parametrize("planted", FAULTS, indirect=True)
def test_lost_executions_are_noticed(planted: None) -> None:
    alone = by(1, SHARING)
    assert any(by(3, SHARING).executions < alone.executions for _ in range(20))
