"""Stories of condition variables: whom each signal wakes, who waits for ever, and whose wake-up came too late."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from threadproof.core.trace import EventKind, Trace
from threadproof.report.told import WRITES, Sentence, Told, line_of

_BEGINS = "begins to wait on "
_WAKES = "wakes from waiting on "
_CHOSEN = re.compile(r"the signal wakes waiter (\d+) ")
_GIVEN = re.compile(r"(?:signals|broadcasts) (.+)$")
_STILL = re.compile(r"(\S+) waits for a signal on (.+) at \S+$")


class ConditionWait(NamedTuple):
    begun: Told
    condition: str

    @property
    def who(self) -> str:
        return self.begun.who


class GivenSignal(NamedTuple):
    given: Told
    condition: str
    woken: tuple[ConditionWait, ...]
    left: tuple[ConditionWait, ...]  # who waits on after it


def signals(events: Sequence[Told]) -> tuple[list[GivenSignal], list[ConditionWait]]:
    """All signals in their order, and who waits at the end. Waiters are numbered as they come."""
    found: list[GivenSignal] = []
    waiting: list[ConditionWait] = []
    chosen = 0
    for told in events:
        text = told.event.text
        if choice := _CHOSEN.match(text):
            chosen = int(choice[1])
        elif text.startswith(_BEGINS):
            waiting.append(ConditionWait(told, text.removeprefix(_BEGINS)))
        elif text.startswith(_WAKES):  # by itself, if nobody has woken it
            waiting = [wait for wait in waiting if wait.who != told.who]
        elif told.event.kind is EventKind.SYNC and (given := _GIVEN.match(text)):
            there = [wait for wait in waiting if wait.condition == given[1]]
            woken = there if text.startswith("broadcasts ") else there[chosen : chosen + 1]
            waiting = [wait for wait in waiting if wait not in woken]
            left = tuple(wait for wait in there if wait not in woken)
            found.append(GivenSignal(told, given[1], tuple(woken), left))
            chosen = 0
    return found, waiting


def waits_for_ever(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    """Of a deadlock: why no signal has reached those who wait."""
    given, waiting = signals(events)
    still = {(match[1], match[2]) for detail in trace.details if (match := _STILL.match(detail))}
    if still != {(wait.who, wait.condition) for wait in waiting}:
        return  # a signal that this does not follow
    for wait in waiting:
        same = [signal for signal in given if signal.condition == wait.condition]
        yield _never_reached(wait, same)


def _never_reached(wait: ConditionWait, same: list[GivenSignal]) -> Sentence:
    begins = f"{wait.who} begins to wait{line_of(wait.begun.event.loc)}"
    if not same:
        return Sentence(f"{wait.who} waits for a signal on {wait.condition} that nobody gives.", (wait.begun,))
    last = same[-1]
    signal = f"{last.given.who} {last.given.event.text}{line_of(last.given.event.loc)}"
    if wait in last.left:
        others = " and ".join(one.who for one in last.woken)
        text = f"{signal}, which wakes {others}; {wait.who} waits, too{line_of(wait.begun.event.loc)}"
        return Sentence(
            f"{text}, and nobody signals again.", (last.given, wait.begun, *(one.begun for one in last.woken))
        )
    if last.woken:
        text = f"{signal}, which wakes {' and '.join(one.who for one in last.woken)}; then {begins}"
        return Sentence(f"{text}, and nobody signals again.", (last.given, wait.begun))
    return Sentence(f"{signal} before {begins}: nobody waits yet, and the signal is lost.", (last.given, wait.begun))


def stolen(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    """The thread that fails was signalled, but what it waited for is gone when it goes on."""
    failing = trace.steps[-1].thread
    mine = [told for told in events if told.thread == failing]
    wakes = [told for told in mine if told.event.text.startswith(_WAKES)]
    reads = [told for told in mine if told.event.kind is EventKind.READ and told.title]
    if not wakes or not reads or _at(reads[-1]) < _at(wakes[-1]):
        return
    wake, read = wakes[-1], reads[-1]
    given, _ = signals([told for told in events if _at(told) < _at(wake)])
    last = next((one for one in reversed(given) if any(wait.begun.thread == failing for wait in one.woken)), None)
    if last is None or not any(_at(wait.begun) > _at(_before(wakes)) for wait in last.woken if wait.who == wake.who):
        return
    writes = [
        told for told in events if told.event.kind in WRITES and told.title == read.title and _at(told) < _at(read)
    ]
    if not writes or writes[-1].thread == failing:
        return
    change = writes[-1]
    begin = f"{last.given.who} {last.given.event.text}{line_of(last.given.event.loc)}, which wakes {wake.who}"
    did = f"{change.who} sets {change.title} to {change.value} in {change.function}{line_of(change.event.loc)}"
    if _at(change) > _at(last.given):
        text = f"{begin}; before {wake.who} goes on, {did}."
    else:
        text = f"{did}; then {begin}."
    yield Sentence(text, (last.given, change, wake))


def _before(wakes: list[Told]) -> Told | None:
    return wakes[-2] if len(wakes) > 1 else None


def _at(told: Told | None) -> tuple[int, int]:
    return (-1, -1) if told is None else (told.step, told.place)
