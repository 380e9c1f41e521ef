"""Searches in which most threads are dormant, against the reference: their runs are runs of the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from comparison import read
from loop_programs import many_threads_program
from modular_sweep import bounded
from samples import data_model, generate_mixed, scopes

from threadproof.codegen.machine.capacity import Capacity
from threadproof.codegen.runs.batch import ThreadLimit, WideValues
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.decode import canonical
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Pct, RandomWalk, Scheduler, Uniform
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer, Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import bmc
from threadproof.engines.bmc import engine as bmc_engine
from threadproof.engines.bmc.unwinding.world import Bounds
from threadproof.engines.dpor import search as dpor
from threadproof.engines.explicit import native
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend.options import Locals
from threadproof.ir.program import Program, Spurious
from threadproof.passes.pipeline import normalise
from threadproof.semantics.guide import played
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose, Moved

SEEDS = range(60)
SCHEDULERS: tuple[Scheduler, ...] = (Uniform(), Pct(3, 30), RandomWalk())
CREATION = re.compile(r"(?<!int )(pthread_create\([^;]*\));")


def several_times(source: str, times: int) -> str:
    """The program with every creation in a loop."""
    return CREATION.sub(rf"{{ for (int n_ = 0; n_ < {times}; n_++) \1; }}", source)


def program_of(seed: int) -> Program:
    return normalise(read(several_times(generate_mixed(seed), 3), data_model=data_model(seed), scopes=scopes(seed)))


def follow(program: Program, machine: NativeMachine, seed: int, scheduler: Scheduler) -> str:
    """One run on both machines."""
    made, schedule = machine.record(seed, seed, 300, scheduler, None, WideValues.TELLING, ThreadLimit.ALL)
    kind = OutcomeKind(int(made.kinds[0]))
    if kind in (OutcomeKind.NOT_NATIVE, OutcomeKind.CAPACITY):
        return kind.name
    reference, last = Machine(program), None
    for last in played(reference, schedule):
        assert not isinstance(last.outcome, Blocked | Choose), (seed, last)
    if last is None or not isinstance(last.outcome, Moved):
        return kind.name
    assert kind in (OutcomeKind.STEPS, OutcomeKind.DEADLOCK), (seed, kind)
    assert made.finals is not None
    mine, theirs = machine.decode(made.finals[0].tobytes()), canonical(reference, last.outcome.state)
    dormant = theirs.threads.keys() - mine.threads.keys()
    assert all(len(theirs.threads[n].frames) == 1 and theirs.threads[n].frames[0].pc == 0 for n in dormant)
    assert kind is OutcomeKind.STEPS or not dormant
    assert mine == theirs._replace(threads={n: t for n, t in theirs.threads.items() if n not in dormant}), seed
    return "with dormant threads" if dormant else kind.name


@pytest.mark.parametrize("awake", [1, 2])
def test_runs_are_runs_of_the_program(awake: int, at_length: bool) -> None:
    ended: list[str] = []
    for seed in SEEDS if at_length else Random(awake).sample(SEEDS, 8):
        program = program_of(seed)
        machine = NativeMachine(program, effort=CompilerEffort.NONE, dormant=awake)
        for number, scheduler in enumerate(SCHEDULERS):
            ended += [follow(program, machine, 100 * seed + 10 * number + run, scheduler) for run in range(3)]
    assert ended.count("with dormant threads") > len(ended) // 4, ended


NESTED = """#include <pthread.h>
#include <stdlib.h>
int x; int *shared; pthread_cond_t k; pthread_mutex_t m;
void *leaf(void *p) {
    pthread_mutex_lock(&m); x++;
    if (x < 4) pthread_cond_wait(&k, &m); else pthread_cond_signal(&k);
    pthread_mutex_unlock(&m);
    int *block = malloc(4); *block = x; free(block); return p;
}
void *branch(void *p) {
    for (int i = 0; i < 3; i++) {
        int here = i; pthread_t t;
        pthread_create(&t, 0, leaf, &here);
        if (i) pthread_detach(t);
    }
    pthread_t last; pthread_create(&last, 0, leaf, 0); pthread_join(last, 0);
    return 0;
}
int main(void) {
    for (int i = 0; i < 4; i++) { pthread_t t; pthread_create(&t, 0, branch, &x); }
    for (;;) {
        pthread_mutex_lock(&m); pthread_cond_signal(&k); pthread_mutex_unlock(&m);
        int *mine = malloc(4); *mine = x; free(mine);
    }
}"""


@pytest.mark.parametrize("awake", [1, 2, 3])
def test_threads_that_create_threads(awake: int) -> None:
    """Slots are given in the order of creation; choices among threads and blocks are in the order of numbers."""
    program = normalise(read(NESTED, scopes=Locals.BLOCK))
    room = Capacity(stack_objects=30, stack_bytes=400, heap_objects=60, heap_bytes=600)
    machine = NativeMachine(program, capacity=room, effort=CompilerEffort.NONE, dormant=awake)
    ended = [follow(program, machine, run, scheduler) for scheduler in SCHEDULERS for run in range(20)]
    assert ended.count("with dormant threads") > 20, ended


def explicit_search(task: Task, seconds: float) -> Unsafe | None:
    return native.few_awake(task, Budget(seconds), Silent(), native.futures(task.program))


def stateless_search(task: Task, seconds: float) -> Unsafe | None:
    return dpor.few_awake(task, dpor.settings_for(task), Budget(seconds), Silent())


Engine = Callable[[Task, Budget, Observer], Result | None]
SEARCHES = pytest.mark.parametrize("search", [explicit_search, stateless_search])
Search = Callable[[Task, float], Unsafe | None]


@SEARCHES
@pytest.mark.parametrize("prop", [Property.UNREACH_CALL, Property.NO_DATA_RACE])
def test_violations_replay(search: Search, prop: Property, at_length: bool) -> None:
    """Where dormant threads leave a violation, the reference shows it, and the whole search does not contradict."""
    found = 0
    for seed in SEEDS if at_length else Random(prop.value).sample(SEEDS, 4):
        text = bounded(many_threads_program(seed, any_number=True), 4)
        task = Task(normalise(read(text)), prop)
        result = search(task, 4)
        if result is not None:
            found += 1
            assert replay_schedule(task.program, prop, result.schedule) is not None, seed
            assert not isinstance(native.check(task, Budget(2), Silent()), Safe), seed
    assert found, "no violation was compared"


def test_unwound_programs_agree(monkeypatch: pytest.MonkeyPatch, at_length: bool) -> None:
    """In `bmc`, two threads of each creation run at first, then more, at last all."""
    monkeypatch.setattr(bmc_engine, "Bounds", partial(Bounds, threads=1))
    found = 0
    for seed in SEEDS if at_length else Random("unwound").sample(SEEDS, 6):
        text = bounded(many_threads_program(seed, any_number=True), 5)
        task = Task(normalise(read(text)), Property.UNREACH_CALL)
        result, whole = bmc.check(task, Budget(6), Silent()), native.check(task, Budget(2), Silent())
        if isinstance(result, Unsafe):
            assert replay_schedule(task.program, task.property, result.schedule) is not None, seed
        assert {type(result), type(whole)} != {Safe, Unsafe}, seed
        found += isinstance(result, Unsafe)
    assert found, "no violation was compared"


MANY = """#include <pthread.h>
void reach_error(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {{ pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m); return 0; }}
int main(void) {{
    pthread_t t[{threads}];
    for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, f, 0);
    pthread_mutex_lock(&{lock}); if (x) reach_error(); pthread_mutex_unlock(&{lock});
    return 0;
}}"""


@pytest.mark.parametrize("check", [native.check, dpor.check])
def test_an_error_after_thousands_of_creations(check: Engine) -> None:
    task = Task(normalise(read(MANY.format(threads=3000, lock="n"))), Property.UNREACH_CALL)
    result = check(task, Budget(900), Silent())
    assert isinstance(result, Unsafe)
    assert len(result.schedule) > 3000
    assert replay_schedule(task.program, task.property, result.schedule) is not None


@SEARCHES
def test_nothing_is_proved(search: Search) -> None:
    task = Task(normalise(read(MANY.format(threads=40, lock="m"))), Property.UNREACH_CALL)
    assert search(task, 60) is None


def test_unwound_errors_after_hundreds_of_creations() -> None:
    task = Task(normalise(read(MANY.format(threads=300, lock="n"))), Property.UNREACH_CALL)
    result = bmc.check(task, Budget(900), Silent())
    assert isinstance(result, Unsafe)
    assert len({move.thread for move in result.schedule}) < 15
    assert replay_schedule(task.program, task.property, result.schedule) is not None


ALL = """#include <pthread.h>
void reach_error(void);
_Atomic int x;
void *f(void *a) { x++; return 0; }
int main(void) {
    pthread_t t[24];
    for (int i = 0; i < 24; i++) pthread_create(&t[i], 0, f, 0);
    JOIN
    if (x == 24) reach_error();
    return 0;
}"""


@pytest.mark.parametrize("join", ["", "for (int i = 0; i < 24; i++) pthread_join(t[i], 0);"])
def test_unwound_programs_are_not_proved_while_threads_are_dormant(join: str) -> None:
    task = Task(normalise(read(ALL.replace("JOIN", join))), Property.UNREACH_CALL, options={"unwind": 30})
    assert isinstance(bmc.check(task, Budget(300), Silent()), Unknown)


def test_unwound_threads_that_are_dormant_are_in_no_deadlock() -> None:
    text = ALL.replace("JOIN", "for (int i = 0; i < 24; i++) pthread_join(t[i], 0);").replace("x == 24", "0")
    task = Task(replace(normalise(read(text)), spurious=Spurious.OFF), Property.NO_DEADLOCK, options={"unwind": 30})
    assert not isinstance(bmc.check(task, Budget(300), Silent()), Unsafe)


ENDLESS = """#include <pthread.h>
void reach_error(void);
int x, y;
pthread_t last;
void *f(void *a) { if (x && !y) reach_error(); y = 1; return 0; }
void *g(void *a) { x = 1; for (;;) pthread_create(&last, 0, f, 0); }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, g, 0);
    pthread_join(last, 0);
    return 0;
}"""


@SEARCHES
def test_a_loop_that_creates_without_end_waits(search: Search) -> None:
    task = Task(normalise(read(ENDLESS)), Property.UNREACH_CALL)
    result = search(task, 60)
    assert result is not None
    assert replay_schedule(task.program, task.property, result.schedule) is not None
