"""Store buffers and axioms tell the same of random programs, and a memory order becomes a schedule that replays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from weak_axioms import Event, drains, outcomes
from weak_schedules import Kind, in_memory_order
from weak_sweep import BRUTE_FORCE, differences, parsed, straight

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.core.schedule import Move, Schedule
from threadproof.dev.programs.weak_programs import Exchange, WeakProgram, WeakStore, random_program, source
from threadproof.dev.weak_verdicts import ASKED
from threadproof.evidence.replay import machine_for, replay_schedule
from threadproof.explore.weak_states import reach
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Moved, Outcome
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.weak import flushes

T1, T2 = (0,), (1,)
WEAK = [MemoryModel.TSO, MemoryModel.PSO]


@pytest.mark.parametrize("seed", range(24))
def test_the_machine_reaches_exactly_the_outcomes_of_the_axioms(seed: int) -> None:
    weak = random_program(seed)
    program = parsed(source(weak))
    for model in MemoryModel:
        assert reach(program, model, variables=weak.observed).finals == set(outcomes(weak, model))


def test_the_models_are_told_apart() -> None:
    found = [{model: len(outcomes(random_program(seed), model)) for model in MemoryModel} for seed in range(100)]
    assert sum(sizes[MemoryModel.TSO] > sizes[MemoryModel.SC] for sizes in found) > 5
    assert sum(sizes[MemoryModel.PSO] > sizes[MemoryModel.TSO] for sizes in found) > 5


def test_a_memory_order_becomes_a_schedule() -> None:
    """Store buffering: both loads come before both stores in memory order."""
    steps = {T1: [(Move(T1), Kind.BUFFERED), (Move(T1, (7,)), Kind.AT_ONCE)], T2: [(Move(T2), Kind.BUFFERED)]}
    order = [(T1, 1), (T2, 0), (T1, 0)]
    assert in_memory_order(steps, order) == (
        Move(T1),
        Move(T1, (7,)),
        Move(T2),
        Move(T2, flush=0),
        Move(T1, flush=0),
    )


def test_two_stores_that_change_places_are_flushed_by_their_place() -> None:
    steps = {T1: [(Move(T1), Kind.BUFFERED), (Move(T1), Kind.BUFFERED)]}
    assert in_memory_order(steps, [(T1, 1), (T1, 0)]) == (Move(T1), Move(T1), Move(T1, flush=1), Move(T1, flush=0))


@pytest.mark.parametrize("who", [who for who in ASKED if who != BRUTE_FORCE])
@pytest.mark.parametrize("seed", range(30))
def test_engines_agree_with_the_axioms(seed: int, who: str) -> None:
    text, expected = straight(seed)
    assert not list(differences(text, expected, [who], Counter()))


def test_a_planted_difference_shows() -> None:
    text, expected = straight(next(seed for seed in range(100) if Verdict.FALSE in straight(seed)[1].values()))
    turned = {model: Verdict.TRUE if verdict is Verdict.FALSE else Verdict.FALSE for model, verdict in expected.items()}
    assert len(list(differences(text, turned, [BRUTE_FORCE], Counter()))) == len(MemoryModel)


def _all_is_shared(weak: WeakProgram) -> bool:
    for name in weak.variables:
        users = [ops for ops in weak.threads if any(getattr(op, "variable", "") == name for op in ops)]
        stored = any(isinstance(op, WeakStore | Exchange) and op.variable == name for ops in users for op in ops)
        if not stored or len(users) == 1:
            return False
    return True


SHARING = [seed for seed in range(40) if _all_is_shared(random_program(seed))][:12]
"""Programs in which every operation is a visible step of its own."""


@pytest.mark.parametrize("model", WEAK)
@pytest.mark.parametrize("seed", SHARING)
def test_every_outcome_has_a_schedule_made_from_its_memory_order(seed: int, model: MemoryModel) -> None:
    weak = random_program(seed)
    for outcome, order in list(outcomes(weak, model).items())[:20]:
        program = parsed(source(weak, outcome))
        machine = machine_for(program, Property.UNREACH_CALL, model)
        schedule = _to_the_end(machine, _schedule(weak, order))
        assert replay_schedule(program, Property.UNREACH_CALL, schedule, model) is not None


def _schedule(weak: WeakProgram, order: tuple[Event, ...]) -> Schedule:
    """Create each thread and let it come to its first operation, then follow the order."""
    start = [move for thread in range(len(weak.threads)) for move in (Move(()), Move((thread,)))]
    steps = {
        (thread,): [
            (Move((thread,)), Kind.BUFFERED if isinstance(op, WeakStore) and not drains(op) else Kind.AT_ONCE)
            for op in ops
        ]
        for thread, ops in enumerate(weak.threads)
    }
    return (*start, *in_memory_order(steps, [((thread,), place) for thread, place in order]))


def _to_the_end(machine: Machine, schedule: Schedule) -> Schedule:
    """The schedule and what is left to do, whoever can first."""
    state, moves = machine.initial(), list(schedule)
    for move in schedule:
        outcome = machine.move(state, move)
        assert isinstance(outcome, Moved)
        state = outcome.state
    while True:
        move, outcome = next(_possible(machine, state))
        moves.append(move)
        if not isinstance(outcome, Moved):
            return tuple(moves)
        state = outcome.state


def _possible(machine: Machine, state: State) -> Iterator[tuple[Move, Outcome]]:
    for number in live_threads(state):
        thread = state.threads[number].id
        for move in (*(Move(thread, flush=place) for place in flushes(machine, state, number)), Move(thread)):
            outcome = machine.move(state, move)
            if not isinstance(outcome, Blocked):
                yield move, outcome
