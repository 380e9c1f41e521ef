"""Rows of a counterexample for reading: rounds of loops are told once, what decides is never among what is left out."""

from __future__ import annotations

from threadproof.core.source import SourceLoc
from threadproof.core.trace import About, Bearing, Event, EventKind, TraceStep
from threadproof.report.rows import MANY_ROUNDS, TableRow, for_reading

F, G, MAIN = (0, 0), (0, 1), (0,)


def step(thread: tuple[int, ...], line: int, name: str, value: int, role: Bearing = Bearing.RELATED) -> TraceStep:
    loc = SourceLoc("a.c", line)
    event = Event(EventKind.WRITE, f"{name} = {value}", loc, role, About(4, 4, name, str(value)))
    return TraceStep(thread, loc, "f", (event,))


def rounds(count: int, decisive: int = -1) -> list[TraceStep]:
    found: list[TraceStep] = []
    for n in range(count):
        role = Bearing.DECISIVE if n == decisive else Bearing.RELATED
        found += [step(F, 4, "x", 2 * n, role), step(G, 9, "x", 2 * n + 1)]
    return found


def told(rows: list[TableRow]) -> list[str]:
    return [row.text or row.events[0].text for row in rows]


def test_many_rounds_with_other_values_are_the_first_and_the_last() -> None:
    rows, left_out = for_reading([*rounds(50), step(MAIN, 20, "y", 1)])
    assert told(rows) == ["x = 0", "x = 1", "(48 rounds more, with other values)", "x = 98", "x = 99", "y = 1"]
    assert (rows[2].first, rows[2].last, left_out) == (3, 98, 0)


def test_few_rounds_are_shown() -> None:
    rows, _ = for_reading(rounds(MANY_ROUNDS - 1))
    assert len(rows) == 2 * (MANY_ROUNDS - 1)


def test_what_decides_is_shown() -> None:
    rows, _ = for_reading(rounds(50, decisive=25))
    assert "x = 50" in told(rows)


def test_other_variables_are_no_rounds() -> None:
    steps = [step(F, 4, f"a[{n}]", n) for n in range(10)]
    steps = [one for n, write in enumerate(steps) for one in (write, step(G, 9, "x", n))]
    rows, _ = for_reading(steps)
    assert len(rows) == len(steps)
