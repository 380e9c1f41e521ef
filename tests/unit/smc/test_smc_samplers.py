"""Runs: pure functions of seed and number; the native sampler says what the reference says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from smc_support import LODIN, fib, program

from threadproof.codegen.machine import capacity
from threadproof.core.budget import Budget
from threadproof.core.estimate import Estimate
from threadproof.core.observer import Silent
from threadproof.dev.exact import exact_probability
from threadproof.engines.smc.language.goal import resolve_expression, resolve_query
from threadproof.engines.smc.options import SamplingMachine, SmcOptions, SplittingKind, SplittingOptions
from threadproof.engines.smc.run import compare_programs, estimate_program
from threadproof.engines.smc.sampling import native
from threadproof.engines.smc.sampling.jobs import Batches
from threadproof.engines.smc.sampling.native import NativeParticles, NativeSampler
from threadproof.engines.smc.sampling.particles import ReferenceParticles, Regrown
from threadproof.engines.smc.sampling.reference import ReferenceSampler
from threadproof.engines.smc.sampling.sampler import RunAnswer
from threadproof.engines.smc.statistics.estimators import fixed, sequential
from threadproof.engines.smc.statistics.tally import Tally
from threadproof.ir.program import Program

ERROR = "Pr[<=5000] (<> [0.VERIFIERError])"


@pytest.mark.parametrize("kind", [ReferenceSampler, NativeSampler])
def test_batches_do_not_depend_on_how_runs_are_cut(kind: type):
    goal = resolve_query(fib(), ERROR)
    whole = kind(fib(), goal, 5).batch(10, 20)
    parts = [kind(fib(), goal, 5).batch(10 + start, 5) for start in (0, 5, 10, 15)]
    assert np.array_equal(whole.answer, np.concatenate([part.answer for part in parts]))
    assert np.array_equal(whole.steps, np.concatenate([part.steps for part in parts]))


def test_jobs_change_nothing():
    goal = resolve_query(fib(), ERROR)
    made = [
        sequential(Batches(NativeSampler(fib(), goal, 1), jobs), ERROR, 0.05, Tally(0.95, Silent()), Budget())
        for jobs in (1, 3)
    ]
    assert (made[0].runs, made[0].satisfying, made[0].steps) == (made[1].runs, made[1].satisfying, made[1].steps)


def test_sampling_agrees_with_the_exact_probability():
    exact = exact_probability(fib(), ERROR)
    assert exact == pytest.approx(0.132498, abs=1e-6)
    goal = resolve_query(fib(), ERROR)
    native = fixed(Batches(NativeSampler(fib(), goal, 0)), ERROR, 200_000, Tally(0.999, Silent()), Budget())
    assert native.low <= exact <= native.high
    slow = fixed(Batches(ReferenceSampler(fib(), goal, 0)), ERROR, 300, Tally(0.999, Silent()), Budget())
    assert slow.low <= exact <= slow.high


QUERIES = (
    "Estimate [<=400,1] {max i + j}",
    "Estimate [<=400,1] {min i * j - 3}",
    "Estimate [<=400,1] {avg t1::k}",
    "Estimate [<=400,1] {max 1.t1::k * 10 + 2.t2::k}",
    "Estimate [<=400,1] {max @1.t1.%10;int}",
    "Pr[<=60] (<> t1@23 && [2 at 36])",
    "Pr[<=60] (i < 3 U j == 2)",
    "Pr[<=40] ([] !Exists (p)([p.pthread_exit]))",
    "Pr[<=60] (<> Forall (p)([p.pthread_join] || i > 1))",
)


@pytest.mark.parametrize("query", QUERIES)
def test_native_and_reference_have_the_same_distribution(query: str):
    goal = resolve_query(fib(), query)
    slow = ReferenceSampler(fib(), goal, 3).batch(0, 150)
    fast = NativeSampler(fib(), goal, 3).batch(0, 4000)
    for a, b in ((slow.value, fast.value), (slow.answer == RunAnswer.YES, fast.answer == RunAnswer.YES)):
        spread = np.sqrt(a.var() / len(a) + b.var() / len(b)) + 1e-9
        assert abs(a.mean() - b.mean()) <= 4.5 * spread


def test_native_values_of_shapes(shapes: Program):
    for text in ("points[index_].y", "first->y", "first[1].x", "points[0].bits", "ratio * 2", "small", "main::x"):
        goal = resolve_query(shapes, f"Estimate [<=40,1] {{max {text}}}")
        slow, fast = ReferenceSampler(shapes, goal, 0).batch(0, 3), NativeSampler(shapes, goal, 0).batch(0, 3)
        assert slow.value.max() == fast.value.max(), text


POINTERS = """
#include <pthread.h>
__thread int own = 5;
__thread struct { int a; short b[3]; } pair = {1, {2, 3, 4}};
int x;
void up(void) { x++; }
void down(void) { x--; }
void (*table[2])(void) = {up, down};
void *worker(void *arg) { own = 7; pair.b[1] = 9; table[x & 1](); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    up();
    pthread_join(t, 0);
    return x + own;
}
"""


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("Pr[<=200] (<> [1.up] || [1.down])", 1.0),
        ("Pr[<=200] (<> [0.down])", 0.0),
        ("Pr[<=200] (<> [1.up] && [1.down])", 0.0),
        ("Pr[<=200] (<> [0.worker])", 0.0),
        ("Estimate [<=200,1] {max 1.own * 100 + 1.pair.b[1]}", 709.0),
        ("Estimate [<=200,1] {max 0.own * 100 + 0.pair.b[1]}", 503.0),
        ("Pr[<=200] (<> Exists (p)(p.own == 7))", 1.0),
    ],
)
def test_calls_through_pointers_and_thread_locals(tmp_path: Path, query: str, value: float):
    file = tmp_path / "pointers.c"
    file.write_text(POINTERS)
    small = program(str(file))
    goal = resolve_query(small, query)
    slow, fast = ReferenceSampler(small, goal, 0).batch(0, 40), NativeSampler(small, goal, 0).batch(0, 2000)
    for made in (slow, fast):
        got = made.value if query.startswith("Estimate") else (made.answer == RunAnswer.YES).astype(float)
        assert (got == value).all()


ALLOCATING = """
#include <stdlib.h>
#include <pthread.h>
int allocated, turns;
void *worker(void *arg) { for (int k = 0; k < 40; k++) { if (turns) { malloc(100); allocated++; } } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    turns = 1;
    pthread_join(t, 0);
    return 0;
}
"""


def _splits_allocating(tmp_path: Path) -> Estimate:
    file = tmp_path / "allocating.c"
    file.write_text(ALLOCATING)
    asked = SplittingOptions(SplittingKind.FIXED, "allocated", ("10", "20", "30"), 50, 3)
    query = "Pr[<=2000] (<> allocated == 40)"
    return estimate_program(program(str(file)), query, SmcOptions(splitting=asked), Silent())


def test_splitting_grows_the_machine_and_changes_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    expected = _splits_allocating(tmp_path)
    monkeypatch.setattr(NativeParticles, "_settle", lambda self: None)
    regrown = 0

    class Counted(Regrown):
        def __init__(self) -> None:
            nonlocal regrown
            regrown += 1

    monkeypatch.setattr(native, "Regrown", Counted)
    grown = _splits_allocating(tmp_path)
    assert regrown
    assert grown.estimate == expected.estimate > 0


def test_beyond_all_room_the_estimate_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(capacity, "LIMIT", replace(capacity.LIMIT, heap_objects=20))
    made = _splits_allocating(tmp_path)
    assert not made.known
    assert "more heap" in made.reason


def test_the_two_kinds_of_particles_start_alike():
    goal = resolve_query(fib(), ERROR)
    score = resolve_expression(fib(), "i + j")
    for particles in (ReferenceParticles(fib(), goal, score, 0), NativeParticles(fib(), goal, score, 0)):
        starts, keys = particles.initial().take([0] * 20), np.arange(20, dtype=np.uint64)
        flown = particles.fly(starts, keys, 5.0)
        again = particles.fly(starts, keys, 5.0)
        assert np.array_equal(flown.best, again.best)
        assert len(flown.at)
        assert len(particles.schedule(flown.reached.pasts[0])) == flown.reached.steps[0]


@pytest.mark.parametrize("machine", [SamplingMachine.NATIVE, SamplingMachine.REFERENCE])
@pytest.mark.parametrize("kind", list(SplittingKind))
def test_splitting_finds_the_exact_probability(machine: SamplingMachine, kind: SplittingKind):
    budget, repeat = (1000, 10) if machine is SamplingMachine.NATIVE else (60, 4)
    asked = SplittingOptions(kind, score="i + j", levels=("3", "4"), budget=budget, repeat=repeat, keep=0.5)
    options = SmcOptions(machine=machine, splitting=asked, confidence=0.999)
    made = estimate_program(fib(), ERROR, options, Silent())
    assert made.low <= 0.132498 <= made.high
    assert made.high - made.low < (0.06 if machine is SamplingMachine.NATIVE else 0.6)


@pytest.mark.parametrize("kind", SplittingKind)
def test_jobs_change_nothing_about_splitting(kind: SplittingKind):
    levels = ("3", "5", "8") if kind is SplittingKind.FIXED else ()
    asked = SplittingOptions(kind, score="i + j", levels=levels, budget=60, repeat=4)
    alone, shared = (
        estimate_program(fib(4), "Pr[<=500] (<> [0.VERIFIERError])", SmcOptions(jobs=jobs, splitting=asked), Silent())
        for jobs in (1, 3)
    )
    assert len(alone.values) == 4
    assert (alone.estimate, alone.low, alone.high, alone.steps) == (
        shared.estimate,
        shared.low,
        shared.high,
        shared.steps,
    )
    assert alone.details == shared.details


def test_two_programs_are_compared():
    right = program(str(LODIN / "petersons.c"))
    wrong = program(str(LODIN / "petersons.c"), "BUG")
    query = "Pr[<=1000] (<> ([1.crit] && [2.crit]))"
    one, two, gap = compare_programs(wrong, right, query, SmcOptions(runs=3000), Silent())
    assert two.satisfying == 0
    assert gap.low > 0
    assert gap.answer is True
    assert gap.estimate == pytest.approx(one.estimate)
