"""Happens-before along an execution written by hand."""

from __future__ import annotations

from threadproof.explore.clocks import History
from threadproof.explore.lts import Action, LtsStep
from threadproof.sync.footprint import Mode, Touch


def step(thread: int, *touched: tuple[int, Mode], creates: tuple[int, ...] = ()) -> LtsStep[None]:
    return LtsStep(Action(thread, ()), tuple(Touch(at, 1, mode) for at, mode in touched), None, creates)


def history(*steps: LtsStep[None]) -> History[None]:
    made: History[None] = History()
    for one in steps:
        made.push(one)
    return made


def test_conflicts_order_and_order_is_transitive() -> None:
    made = history(step(1, (0, Mode.WRITE)), step(2, (0, Mode.READ), (4, Mode.WRITE)), step(3, (4, Mode.READ)))
    assert made.before(0, 1)
    assert made.before(0, 2)
    assert made.events[2].conflicts == (1,)


def test_reads_are_not_ordered() -> None:
    made = history(step(1, (0, Mode.READ)), step(2, (0, Mode.READ)))
    assert not made.before(0, 1)
    assert [event.thread for event in made.notdep(0)] == [2]


def test_a_new_thread_knows_what_its_creator_knew() -> None:
    made = history(step(0, (0, Mode.WRITE)), step(0, creates=(1,)), step(1, (0, Mode.WRITE)))
    assert made.before(0, 2)
    assert made.events[2].conflicts == ()


def test_equivalent_executions_have_the_same_labels() -> None:
    a, b, c = step(1, (0, Mode.WRITE)), step(2, (4, Mode.WRITE)), step(3, (0, Mode.READ))
    made: History[None] = History()
    classes: list[frozenset[int]] = []
    for order in ((a, b, c), (b, a, c), (c, a, b)):
        for one in order:
            made.push(one)
        classes.append(made.trace())
        for _ in order:
            made.pop()
    assert classes[0] == classes[1] != classes[2]
