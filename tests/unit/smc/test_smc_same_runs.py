"""The native machine makes the reference's runs, bit for bit: the same random numbers lead to the same steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from smc_support import LODIN, fib, program

from threadproof import estimate
from threadproof.codegen.machine.environment_text import NativeEnvironment
from threadproof.core.estimate import Estimate
from threadproof.core.observer import Silent
from threadproof.dev.programs.generate import generate
from threadproof.engines.smc.language.goal import resolve_query
from threadproof.engines.smc.options import SamplingMachine, SmcOptions, SplittingKind, SplittingOptions
from threadproof.engines.smc.platform import Platform
from threadproof.engines.smc.run import estimate_program
from threadproof.engines.smc.sampling.native import NativeSampler
from threadproof.engines.smc.sampling.reference import ReferenceSampler
from threadproof.ir.program import Program

MIXED = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, sum; unsigned long wide;
void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    sum += *(int *)arg;
    pthread_mutex_unlock(&m);
    return 0;
}
void *sleeper(void *arg) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t t[3];
    int *one = malloc(4);
    *one = __VERIFIER_nondet_int() & 3;
    wide = __VERIFIER_nondet_ulong();
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, waiter, one);
    pthread_create(&t[2], 0, sleeper, 0);
    pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
    pthread_cancel(t[2]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return sum;
}
"""
COLUMNS = ("answer", "ending", "steps", "value")


def same_runs(form: Program, query: str, runs: int) -> None:
    goal = resolve_query(form, query)
    slow, fast = ReferenceSampler(form, goal, 3).batch(5, runs), NativeSampler(form, goal, 3).batch(5, runs)
    for column in COLUMNS:
        assert np.array_equal(getattr(slow, column), getattr(fast, column)), column


def test_runs_with_choices_waits_and_cancellation(tmp_path: Path):
    file = tmp_path / "mixed.c"
    file.write_text(MIXED)
    same_runs(program(str(file)), "Estimate [<=400,1] {avg sum + (wide > 9223372036854775807)}", 40)


def test_formulas_of_hundreds_of_terms():
    """The compiler counts how deep brackets are."""
    terms = [f"j * {n} == {2 * n} && !(i > {n})" for n in range(1, 400)]
    same_runs(fib(), f"Pr[<=60] (<> ({' || '.join(terms)}))", 40)
    same_runs(fib(), f"Pr[<=60] (<> ({' && '.join(f'i != {n}' for n in range(4, 400))} && j > 2))", 40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_runs_of_random_programs(tmp_path: Path, seed: int):
    file = tmp_path / "random.c"
    file.write_text(generate(seed))
    same_runs(program(str(file)), "Pr[<=500] (<> false)", 10)


def told(made: Estimate) -> tuple[Any, ...]:
    return made.estimate, made.low, made.high, made.runs, made.steps, made.endings, made.details.get("reached")


def both(asked: Any) -> None:
    """The estimates of both machines, of which everything but the time is the same."""
    slow, fast = (asked(SamplingMachine.REFERENCE), asked(SamplingMachine.NATIVE))
    assert (slow.sampler, fast.sampler) == ("reference", "native")
    assert told(slow) == told(fast)


def test_states_are_counted_alike():
    both(lambda machine: estimate_program(fib(), "EnumStatesSMC <=60 30", SmcOptions(machine=machine), Silent()))


OBSERVER = """
[state.begin]
score = "i"
go = [ { when = "i + j > 3", to = "half" }, { when = "Exists (p)([p.VERIFIERError])", to = "lost" } ]
[state.half]
score = "i + j"
accept = true
go = [ { when = "i > 3 && j < 3", to = "lost" } ]
[state.lost]
fail = true
"""


@pytest.mark.parametrize("kind", SplittingKind)
def test_observers_see_the_same(tmp_path: Path, kind: SplittingKind):
    file = tmp_path / "o.toml"
    file.write_text(OBSERVER)
    levels = ("2", "4") if kind is SplittingKind.FIXED else ()
    split = SplittingOptions(kind, str(file), levels, budget=30, repeat=2, keep=0.6)
    query = "Pr[<=80] (i < 6 U j == 5)"
    both(lambda machine: estimate_program(fib(), query, SmcOptions(machine=machine, splitting=split), Silent()))


@pytest.mark.parametrize(("query", "runs"), [("Pr[<=300] (<> [1.poketext])", 25), ("EnumStatesSMC <=300 15", None)])
def test_signals_of_a_platform_interrupt_alike(query: str, runs: int | None):
    file = str(LODIN / "ptrace.c")
    both(lambda machine: estimate(file, query, options=SmcOptions(machine=machine, platform="ptrace", runs=runs)))


PLATFORM = """
from threadproof.engines.smc.platform import NativeEnvironment, Platform, Wait

def give(call):
    return 7 + call.arg(0) + call.rng.below(3), call.env + (call.rng.random() < 0.5)

def take(call):
    if call.env == 0:
        raise Wait
    return 0, call.env - 1

platform = Platform(
    functions={"give": give, "take": take},
    declarations="int give(int more); void take(void);",
    initial=lambda: 0,
    weight=lambda env, thread: 2.5 if thread and env else 1.0,
    choose=lambda source, low, high, rng: rng.below(4) if source == "__VERIFIER_nondet_int" else None,
    native=NativeEnvironment(
        fields={"tokens": 0},
        functions={
            "give": "RESULT(7 + ARG(0) + BELOW(3)); env->tokens += RANDOM() < 0.5;",
            "take": "if (!env->tokens) WAIT; env->tokens--;",
        },
        weight="thread && env->tokens ? 2.5 : 1.0",
        choose={"__VERIFIER_nondet_int": "BELOW(4)"},
    ),
)
"""
TAKING = """
#include <pthread.h>
int give(int more);
void take(void);
int __VERIFIER_nondet_int(void);
int got, drawn;
void *taker(void *arg) { take(); got += 100; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, taker, 0);
    drawn = __VERIFIER_nondet_int();
    got = give(-2);
    pthread_join(t, 0);
    return 0;
}
"""


def test_a_platform_in_c_is_the_one_in_python(tmp_path: Path):
    module, source = tmp_path / "p.py", tmp_path / "p.c"
    module.write_text(PLATFORM)
    source.write_text(TAKING)

    def asked(machine: SamplingMachine) -> Estimate:
        options = SmcOptions(machine=machine, platform=str(module))
        return estimate(str(source), "Estimate [<=200,60] {max got + 1000 * drawn}", options=options)

    both(asked)
    assert asked(SamplingMachine.AUTO).endings.get("deadlock")  # no token was given


def test_a_c_part_that_says_less_is_not_used():
    half = NativeEnvironment({}, {"f": ""})
    assert Platform({"f": lambda call: (0, None)}, native=half).in_c() is half
    assert Platform({"f": lambda call: (0, None), "g": lambda call: (0, None)}, native=half).in_c() is None
    assert Platform({"f": lambda call: (0, None)}, weight=lambda env, thread: 2.0, native=half).in_c() is None
