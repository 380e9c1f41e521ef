"""The native search against the reference: the same verdicts; without reduction exactly the same states."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from comparison import read
from sweep import data_model

from expectations import expectation
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.decode import canonical
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Unknown, Unsafe
from threadproof.dev.programs.generate import ProgramShape, generate
from threadproof.engines.explicit import native, reference
from threadproof.engines.explicit.search import NativeSearch, SearchEnd, SearchQuestion, SearchReduction
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.frontend.options import Checks
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.portfolio import prepare
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Moved
from threadproof.semantics.state import live_threads

TESTS = Path(__file__).parent.parent
SHAPE = ProgramShape(threads=(2, 2), statements=(1, 2), features=(1, 3))
SECONDS, LOOKS = 10, 100


LARGE = """#include <pthread.h>
int x, got;
int work(int k) { int a[200]; for (int i = 0; i < 3; i++) a[i] = k; x++; return a[0] + a[2]; }
void *other(void *p) { got += work(1); return 0; }
int main(void) {
    pthread_t t, u; pthread_create(&t, 0, other, 0); pthread_create(&u, 0, other, 0);
    pthread_join(t, 0); pthread_join(u, 0);
    return 0;
}"""


@pytest.fixture(autouse=True)
def _limited(counted_time: Callable[[float], None]) -> None:
    """What is too large for the reference does not depend on the machine: LOOKS at the clock, one per some states."""
    counted_time(LOOKS / SECONDS)


def agree(program: Program, prop: Property) -> None:
    task = Task(program, prop)
    mine = native.check(task, Budget(900), Silent())
    if mine is None:
        pytest.skip("not native")
    theirs = reference.check(task, Budget(SECONDS), Silent())
    if isinstance(theirs, Unknown) and theirs.reason.startswith("time"):
        pytest.skip("too large for the reference")
    compare(program, prop, mine, theirs)


def compare(program: Program, prop: Property, mine: Result, theirs: Result) -> None:
    """Which of several reasons is told for `unknown` depends on the order of the search."""
    assert type(mine) is type(theirs), (mine, theirs)
    if isinstance(mine, Unsafe):
        assert replay_schedule(program, prop, mine.schedule) is not None


def all_states(program: Program, limit: int) -> set[Any] | None:
    """The reference's states at visible steps, no thread preferred, as far as blocks tell them apart."""
    machine = Machine(program)
    constants = program_constants(program)
    found = {canonical(machine, machine.initial()).key()}
    todo = [machine.initial()]
    while todo:
        state = todo.pop()
        for number in live_threads(state):
            choices: list[tuple[int, ...]] = [()]
            while choices:
                made = choices.pop()
                outcome = machine.step(state, number, made)
                if isinstance(outcome, Choose):
                    choices += [(*made, value) for value in values_to_try(outcome, constants)[0]]
                if isinstance(outcome, Moved):
                    key = canonical(machine, outcome.state).key()
                    if key not in found:
                        found.add(key)
                        todo.append(outcome.state)
        if len(found) > limit:
            return None
    return found


@pytest.mark.parametrize("seed", range(60, 75))
def test_exactly_these_states(seed: int) -> None:
    same_states(normalise(read(generate(seed, SHAPE), data_model=data_model(seed))))


def test_exactly_these_states_of_many_pieces() -> None:
    """What a step uses for the first time belongs to the state, however large the block is."""
    same_states(normalise(read(LARGE)))


def same_states(program: Program) -> None:
    states = all_states(program, 5_000)
    if states is None:
        pytest.skip("too many states")
    question = SearchQuestion(frozenset(), frozenset(), reduction=SearchReduction.NONE)
    search = NativeSearch(NativeMachine(program, effort=CompilerEffort.NONE), question)
    end = search.run(10**9)
    if end in (SearchEnd.NOT_NATIVE, SearchEnd.SHORT):
        pytest.skip("not native, or larger than suggested")
    assert end is SearchEnd.DONE
    assert search.states == len(states)


def cases() -> list[Any]:
    found: list[Any] = []
    for file in [*sorted(TESTS.glob("programs/*/*/expect.yml")), *sorted(TESTS.glob("regressions/*/expect.yml"))]:
        expected = expectation(file)
        model = DataModel(expected.get("data_model", "LP64"))
        for prop in expected["verdicts"]:
            name = f"{file.parent.relative_to(TESTS)}:{prop}"
            found.append(pytest.param(file.parent / "main.c", Property(prop), model, id=name))
    return found


@pytest.mark.parametrize(("path", "prop", "model"), cases())
def test_programs(path: Path, prop: Property, model: DataModel) -> None:
    agree(prepare([str(path)], prop, FrontendOptions(data_model=model)), prop)


@pytest.mark.parametrize("prop", [Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK])
@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int, prop: Property) -> None:
    agree(normalise(read(generate(seed, SHAPE), data_model=data_model(seed))), prop)


@pytest.mark.parametrize("seed", range(25, 30))
def test_random_programs_with_checks(seed: int) -> None:
    agree(normalise(read(generate(seed, SHAPE), Checks.OVERFLOW)), Property.NO_OVERFLOW)


@pytest.mark.parametrize("seed", range(40, 44))
def test_random_programs_of_single_instructions(seed: int) -> None:
    agree(instruction_form(read(generate(seed, SHAPE))), Property.VALID_MEMSAFETY)


@pytest.mark.slow
@pytest.mark.parametrize("prop", [Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK])
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_random_programs_at_length(seed: int, prop: Property) -> None:
    agree(normalise(read(generate(seed, SHAPE), data_model=data_model(seed))), prop)
