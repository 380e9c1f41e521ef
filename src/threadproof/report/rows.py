"""The rows of a counterexample: what one thread did on one source line without interruption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.core.trace import Event, TraceStep


@dataclass(frozen=True, slots=True)
class TableRow:
    """Steps are numbered from 1, as the schedule counts them."""

    thread: ThreadId
    loc: SourceLoc
    function: str
    first: int
    last: int
    events: tuple[Event, ...]

    @property
    def number(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def merge(steps: Sequence[TraceStep]) -> Iterator[TableRow]:
    """A step is cut where its events change the line, neighbours of one thread on one line are joined."""
    pending: TableRow | None = None
    for index, step in enumerate(steps, 1):
        for loc, events in _pieces(step):
            row = TableRow(step.thread, loc, step.function, index, index, events)
            if pending is not None and _same_place(pending, row):
                pending = replace(pending, last=index, events=pending.events + row.events)
                continue
            if pending is not None:
                yield pending
            pending = row
    if pending is not None:
        yield pending


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
