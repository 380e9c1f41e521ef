"""Stepping the reference machine with answers, along schedules and to goals."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from threadproof.core.property import Property
from threadproof.core.schedule import Move
from threadproof.core.source import NOWHERE
from threadproof.core.thread_id import MAIN, ThreadId
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.semantics.choices import Answer, at_random, every_step, fitted, step_with
from threadproof.semantics.guide import Astray, Goal, Guide, Later, lead, played
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose, Failed, Moved
from threadproof.semantics.state import State

T1 = (0,)
SOURCE = """
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *store(void *arg) { x = 1; y = 1; return 0; }
int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin();
  int wide = __VERIFIER_nondet_int();
  _Bool small = __VERIFIER_nondet_bool();
  __VERIFIER_atomic_end();
  pthread_create(&t, 0, store, 0);
  if (y == 1 && wide % 1000 * wide == 49 && small) reach_error();
  return 0;
}
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    path = tmp_path / "main.c"
    path.write_text(SOURCE)
    return Machine(prepare([str(path)], Property.UNREACH_CALL, FrontendOptions()))


@pytest.fixture
def asking(machine: Machine) -> State:
    """Main stands before the step with two choices."""
    return start(machine).state


def start(machine: Machine) -> Guide:
    guide = Guide(machine)
    while not isinstance(machine.step(guide.state, 0), Choose):
        guide.take(Move(MAIN))
    return guide


def both(_: Choose) -> int:
    return 1


def test_every_answer_is_tried_and_wide_choices_are_told(machine: Machine, asking: State) -> None:
    wide: list[Choose] = []
    steps = list(every_step(machine, asking, 0, (7,), wide.append))
    answers = [step.move.choices for step in steps]
    assert {(7, 0), (7, 1), (0, 0), (-1, 1)} <= set(answers)
    assert len(answers) == len(set(answers))
    assert [choice.source for choice in wide] == ["__VERIFIER_nondet_int"]
    assert all(isinstance(step.outcome, Moved) for step in steps)


def test_answers_come_from_whoever_knows(machine: Machine, asking: State) -> None:
    asked: list[str] = []

    def answer(choice: Choose) -> int:
        asked.append(choice.source)
        return 1

    step = step_with(machine, asking, 0, answer)
    assert step.move == Move(MAIN, (1, 1))
    assert asked == ["__VERIFIER_nondet_int", "__VERIFIER_nondet_bool"]


def test_random_answers_are_a_function_of_the_seed(machine: Machine, asking: State) -> None:
    seen = [step_with(machine, asking, 0, at_random(Random(3), (7,))).move for _ in range(2)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("low", "high", "value", "answer"), [(-128, 127, 255, -1), (0, 255, 255, 255), (0, 3, 9, 3)])
def test_a_number_of_a_model_is_made_to_fit(low: int, high: int, value: int, answer: int) -> None:
    assert fitted(Choose("any", low, high, 8, NOWHERE), value) == answer


def answers_of(values: dict[str, int]) -> Answer:
    return lambda choice: values[choice.source]


def test_goals_make_a_schedule_that_replays(machine: Machine) -> None:
    """main creates the thread, the thread ends, main goes on to the error."""
    goals = [
        Goal(MAIN, lambda thread: thread.children == 1),
        Goal(T1, lambda thread: not thread.frames),
        Goal(MAIN, lambda thread: False),
    ]
    values = {"__VERIFIER_nondet_int": 7, "__VERIFIER_nondet_bool": 1}
    guide = lead(machine, goals, lambda thread: answers_of(values))
    assert isinstance(guide.outcome, Failed)
    *before, last = played(machine, guide.schedule)
    assert all(isinstance(made.outcome, Moved) for made in before)
    assert isinstance(last.outcome, Failed)


def test_a_step_without_an_answer_is_made_later(machine: Machine) -> None:
    known: list[int] = []

    def answering(_: ThreadId) -> Answer:
        def answer(choice: Choose) -> int:
            if not known:
                raise Later
            return 1

        return answer

    guide = start(machine)
    before = guide.schedule
    goal = Goal(MAIN, lambda thread: thread.children == 1)
    guide.reach(goal, answering)
    assert guide.schedule == before
    known.append(1)
    guide.reach(goal, answering)
    assert guide.schedule[len(before)] == Move(MAIN, (1, 1))


def test_who_does_not_exist_leads_astray(machine: Machine) -> None:
    with pytest.raises(Astray, match="does not exist"):
        lead(machine, [Goal(T1, lambda thread: True)], lambda thread: both)
    assert isinstance(next(played(machine, [Move(T1)])).outcome, Blocked)


def test_nothing_moves_without_an_answer(machine: Machine) -> None:
    guide = start(machine)
    before = guide.schedule
    assert isinstance(guide.take(Move(MAIN)), Choose)
    assert guide.goes_on
    assert guide.schedule == before
