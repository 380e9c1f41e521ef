"""Whole native runs: a function of seed and run number, schedulers, monitors, schedules that the reference replays."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from threadproof.codegen.machine.capacity import Capacity
from threadproof.codegen.machine.monitor import (
    NO_MONITOR,
    Monitor,
    MonitorAggregate,
    MonitorText,
    aggregate,
    globally,
    reach,
    until,
)
from threadproof.codegen.machine.numbering import Numbering
from threadproof.codegen.runs.batch import BatchOptions, Finals, WideValues
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Pct, RandomWalk, ReplayScheduler, RoundRobin, Scheduler, Uniform
from threadproof.core.thread_id import number as number_of
from threadproof.engines.smc.language.c_text import c_text
from threadproof.engines.smc.language.goal import resolve_expression
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Failed, Finished, Moved
from threadproof.semantics.run import Granularity, Spurious

FIB = """
#include <pthread.h>
extern void reach_error(void);
int i = 1, j = 1;
void *t1(void *arg) { int k = 0; for (k = 0; k < 2; k++) i += j; pthread_exit(0); }
void *t2(void *arg) { int k = 0; for (k = 0; k < 2; k++) j += i; pthread_exit(0); }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (i == 3 || j == 3) reach_error();
  return 0;
}
"""
NONDET = """
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
int main(void) { x = __VERIFIER_nondet_uchar(); y = __VERIFIER_nondet_int(); return y == 1234567; }
"""
DEADLOCK = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
"""
ENOUGH = 5000


def read(source: str, folder: Path) -> Program:
    path = folder / "main.c"
    path.write_text(source, encoding="utf-8")
    return load([str(path)], FrontendOptions())


def single(program: Program, monitor: Monitor = NO_MONITOR) -> NativeMachine:
    return NativeMachine(instruction_form(program), Granularity.INSTRUCTION, Spurious.OFF, monitor)


def said(program: Program, expression: str) -> MonitorText:
    form = instruction_form(program)
    return c_text(Numbering(form), resolve_expression(form, expression))


def test_probability_of_the_second_fibonacci_program(tmp_path: Path) -> None:
    runs = 200_000
    batch = single(read(FIB, tmp_path)).run_batch(1, 0, runs, ENOUGH, Uniform())
    assert batch.count(OutcomeKind.FAILED) + batch.count(OutcomeKind.FINISHED) == runs
    expected = 0.13242
    assert abs(batch.count(OutcomeKind.FAILED) / runs - expected) < 5 * math.sqrt(expected * (1 - expected) / runs)


def test_a_run_depends_on_seed_and_number_alone(tmp_path: Path) -> None:
    machine = single(read(FIB, tmp_path))
    options = BatchOptions(Finals.KEEP)
    whole = machine.run_batch(7, 0, 60, ENOUGH, Uniform(), options=options)
    part = machine.run_batch(7, 40, 20, ENOUGH, Uniform(), options=options)
    assert whole.finals is not None
    assert part.finals is not None
    assert np.array_equal(whole.steps[40:], part.steps)
    assert np.array_equal(whole.finals[40:], part.finals)
    other = machine.run_batch(8, 0, 60, ENOUGH, Uniform())
    assert not np.array_equal(whole.steps, other.steps)


SCHEDULERS: list[Scheduler] = [Uniform(), Pct(3, 60), RandomWalk(), RoundRobin(2)]


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("granularity", Granularity)
def test_recorded_schedules_replay(scheduler: Scheduler, granularity: Granularity, tmp_path: Path) -> None:
    program = read(FIB, tmp_path)
    form = normalise(program) if granularity is Granularity.VISIBLE else instruction_form(program)
    machine, reference = NativeMachine(form, granularity), Machine(form, granularity)
    for run in range(10):
        batch, schedule = machine.record(3, run, ENOUGH, scheduler)
        kind = OutcomeKind(batch.kinds[0])
        again = machine.run_batch(0, 0, 1, ENOUGH, ReplayScheduler(schedule))
        assert again.kinds[0] == kind
        assert again.steps[0] == batch.steps[0] == len(schedule)
        state = reference.initial()
        for move in schedule[:-1]:
            outcome = reference.step(state, number_of(move.thread), move.choices)
            assert isinstance(outcome, Moved)
            state = outcome.state
        last = reference.step(state, number_of(schedule[-1].thread), schedule[-1].choices)
        assert isinstance(last, Failed if kind is OutcomeKind.FAILED else Finished)


def test_choices_are_uniform_or_telling(tmp_path: Path) -> None:
    program = read(NONDET, tmp_path)
    machine = single(program, aggregate(MonitorAggregate.MAX, said(program, "x")))
    values = machine.run_batch(0, 0, 51_200, ENOUGH, Uniform()).values
    counts = np.bincount(values.astype(int), minlength=256)
    assert len(counts) == 256
    assert np.all(abs(counts - 200) < 100)
    told = single(program, reach(said(program, "y == 1234567")))
    assert told.run_batch(0, 0, 1000, ENOUGH, Uniform()).verdicts.sum() == 0
    assert told.run_batch(0, 0, 1000, ENOUGH, Uniform(), values=WideValues.TELLING).verdicts.sum() > 5


def test_formulas(tmp_path: Path) -> None:
    program = read(FIB, tmp_path)
    small, big = said(program, "i < 8 && j < 8"), said(program, "i >= 8 || j >= 8")
    runs = (1, 0, 2000, ENOUGH, Uniform())
    reached = single(program, reach(big)).run_batch(*runs).verdicts
    kept = single(program, globally(small)).run_batch(*runs).verdicts
    assert 0 < reached.sum() < 2000
    assert np.array_equal(reached == 1, kept == 0)
    assert np.array_equal(single(program, until(small, big)).run_batch(*runs).verdicts, reached)
    for certain in ("1.t1@5 && 2.t2@6", "Exists (p)(p.t2@6)", "1.t1::k == 2", "[1.pthread_exit]", "[2 at 6]"):
        assert single(program, reach(said(program, certain))).run_batch(*runs).verdicts.all(), certain


def test_levels_return_the_states_reached(tmp_path: Path) -> None:
    program = read(FIB, tmp_path)
    machine = single(program, Monitor(score=said(program, "i + j")))
    first = machine.run_batch(1, 0, 500, ENOUGH, Uniform(), options=BatchOptions(Finals.KEEP, level=5))
    arrived = first.kinds == OutcomeKind.LEVEL
    assert arrived.sum() > 0
    assert first.finals is not None
    assert (first.scores[arrived] >= 5).all()
    starts = first.finals[arrived]
    start_of = np.arange(200, dtype=np.uint32) % len(starts)
    options = BatchOptions(Finals.DROP, level=8, starts=starts, start_of=start_of)
    second = machine.run_batch(1, 500, 200, ENOUGH, Uniform(), options=options)
    assert 0 < second.count(OutcomeKind.LEVEL) <= 200
    state = machine.decode(starts[0].tobytes())
    assert {thread.id for thread in state.threads.values()} >= {(), (0,)}


def test_deadlock_and_length(tmp_path: Path) -> None:
    program = read(DEADLOCK, tmp_path)
    assert single(program).run_batch(0, 0, 3, ENOUGH, Uniform()).count(OutcomeKind.DEADLOCK) == 3
    assert single(program).run_batch(0, 0, 3, 2, Uniform()).count(OutcomeKind.STEPS) == 3


def test_a_machine_that_is_too_small_says_so(tmp_path: Path) -> None:
    form = instruction_form(read(FIB, tmp_path))
    machine = NativeMachine(form, Granularity.INSTRUCTION, capacity=Capacity(threads=2))
    batch = machine.run_batch(0, 0, 5, ENOUGH, Uniform())
    assert batch.count(OutcomeKind.CAPACITY) == 5
    assert batch.rooms() == {"threads"}
    larger = machine.grown("threads")
    assert larger is not None
    assert larger.run_batch(0, 0, 5, ENOUGH, Uniform()).count(OutcomeKind.CAPACITY) == 0
