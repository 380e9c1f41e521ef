"""The rows of a counterexample: what one thread did on one source line without interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.core.trace import Bearing, Event, EventKind, TraceStep

HEAD_EVENTS, TAIL_EVENTS = 12, 12


@dataclass(frozen=True, slots=True)
class TableRow:
    """Steps are numbered from 1, as the schedule counts them."""

    thread: ThreadId
    loc: SourceLoc
    function: str
    first: int
    last: int
    events: tuple[Event, ...]
    text: str = ""  # instead of the source line

    @property
    def number(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


LONGEST_ROUND = 6
"""Rows of a loop whose rounds are alike, that are shown once."""
MANY_ROUNDS = 4
"""Rounds with other values, of which the middle is left out."""


def for_reading(steps: Sequence[TraceStep]) -> tuple[list[TableRow], int]:
    """The rows without what does not matter for the violation, and how many steps that was. Lanes begin where
    concurrency begins: what main has prepared before is one row. Steps whose roles nobody knows all stay."""
    if not any(event.role is not Bearing.UNKNOWN for step in steps for event in step.events):
        return list(merge(steps)), 0
    first = next((i for i, step in enumerate(steps) if _creates(step)), -1)
    kept = [replace(step, events=tuple(e for e in step.events if e.role is not Bearing.ASIDE)) for step in steps]
    shown = {index for index, step in enumerate(kept) if step.events or index == len(steps) - 1}
    rows: list[TableRow] = []
    if first >= 0:
        prepared, kept[first] = _prepared(kept[: first + 1])
        rows += prepared
        shown -= set(range(first))
    rows += merge_some((index, step) for index, step in enumerate(kept, 1) if index - 1 in shown)
    return list(_rounds(list(_once(rows)))), len(steps) - len(shown) - (
        first if first > 0 and rows and rows[0].text else 0
    )


def _creates(step: TraceStep) -> bool:
    return any(event.kind is EventKind.SYNC and event.text.startswith("creates ") for event in step.events)


def _prepared(steps: Sequence[TraceStep]) -> tuple[list[TableRow], TraceStep]:
    """What happens before the first thread is created, as one row, and what the step that creates it does then."""
    last = steps[-1]
    at = next(i for i, event in enumerate(last.events) if event.text.startswith("creates "))
    before = [event for step in steps[:-1] for event in step.events] + list(last.events[:at])
    says = [event.text for event in before if event.kind in (EventKind.WRITE, EventKind.CHOICE)]
    rest = replace(last, events=last.events[at:], loc=last.events[at].loc)
    if not says:
        return [], rest
    row = TableRow(last.thread, steps[0].loc, last.function, 1, len(steps), (), "prepares: " + ", ".join(says))
    return [row], rest


def _once(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """Rounds of a loop that look the same are shown once, with their number."""
    at = 0
    while at < len(rows):
        for size in range(1, LONGEST_ROUND + 1):
            times = _times(rows, at, size, _looks)
            if times > 1:
                *begin, last = rows[at : at + size]
                end = rows[at + times * size - 1]
                note = Event(EventKind.NOTE, f"({times} times the same)", last.loc, Bearing.RELATED)
                yield from begin
                yield replace(last, last=end.last, events=(*last.events, note))
                at += times * size
                break
        else:
            yield rows[at]
            at += 1


def _rounds(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """Of many rounds that differ in values only, and decide nothing, the first and the last are shown."""
    at = 0
    while at < len(rows):
        counted = ((size, _times(rows, at, size, _shape)) for size in range(1, LONGEST_ROUND + 1))
        size, times = next((one for one in counted if one[1] >= MANY_ROUNDS), (1, 1))
        yield from rows[at : at + size]
        if times > 1:
            between, last = rows[at + size : at + (times - 1) * size], at + (times - 1) * size
            text = f"({times - 2:,} rounds more, with other values)"
            yield replace(between[0], last=between[-1].last, events=(), text=text)
            yield from rows[last : last + size]
        at += times * size


def _times(rows: Sequence[TableRow], at: int, size: int, looks: Callable[[TableRow], object]) -> int:
    """How often the rows of this round come one after the other; what `looks` none has no like."""
    first = [looks(row) for row in rows[at : at + size]]
    times = 1
    while None not in first and first == [looks(row) for row in rows[at + times * size : at + (times + 1) * size]]:
        times += 1
    return times


def _looks(row: TableRow) -> object:
    return row.thread, row.loc.file, row.loc.line, row.text, tuple(event.text for event in row.events)


def _shape(row: TableRow) -> object:
    """As it looks, but for values."""
    if row.text or any(event.role is Bearing.DECISIVE for event in row.events):
        return None
    about = tuple((event.kind, event.about.title if event.about else event.text) for event in row.events)
    return row.thread, row.loc.file, row.loc.line, about


def merge(steps: Sequence[TraceStep]) -> Iterator[TableRow]:
    """A step is cut where its events change the line, neighbours of one thread on one line are joined."""
    return merge_some(enumerate(steps, 1))


def merge_some(steps: Iterable[tuple[int, TraceStep]]) -> Iterator[TableRow]:
    """As `merge`, of steps with their numbers."""
    pending: TableRow | None = None
    events: list[Event] = []
    for index, step in steps:
        for loc, told in _pieces(step):
            row = TableRow(step.thread, loc, step.function, index, index, ())
            if pending is not None and _same_place(pending, row):
                pending = replace(pending, last=index)
                events += told
                continue
            if pending is not None:
                yield replace(pending, events=_shown(events))
            pending, events = row, list(told)
    if pending is not None:
        yield replace(pending, events=_shown(events))


def _shown(events: list[Event]) -> tuple[Event, ...]:
    """The middle of a long row is left out: a loop that creates ten thousand threads is one row."""
    left_out = len(events) - HEAD_EVENTS - TAIL_EVENTS
    if left_out <= 1:
        return tuple(events)
    note = Event(EventKind.NOTE, f"({left_out:,} more events)", events[HEAD_EVENTS].loc)
    return (*events[:HEAD_EVENTS], note, *events[-TAIL_EVENTS:])


def _pieces(step: TraceStep) -> Iterator[tuple[SourceLoc, tuple[Event, ...]]]:
    """A visible step may run over several lines: each with its own events, in order."""
    loc, events = step.loc, list[Event]()
    for event in step.events:
        here = event.loc if event.loc.line else loc
        if (here.file, here.line) != (loc.file, loc.line):
            if events:
                yield loc, tuple(events)
            loc, events = here, []
        events.append(event)
    yield loc, tuple(events)


def _same_place(row: TableRow, following: TableRow) -> bool:
    here, there = row.loc, following.loc
    return row.thread == following.thread and (here.file, here.line) == (there.file, there.line)
