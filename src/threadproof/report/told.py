"""What a story is made of: events with their places in the trace, and sentences about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId, name
from threadproof.core.trace import Event, EventKind

WRITES = (EventKind.WRITE, EventKind.FLUSH)


class Told(NamedTuple):
    """An event with its place in the trace."""

    step: int
    place: int
    thread: ThreadId
    function: str
    locks: tuple[str, ...]
    event: Event

    @property
    def who(self) -> str:
        return name(self.thread)

    @property
    def title(self) -> str:
        return self.event.about.title if self.event.about else ""

    @property
    def value(self) -> str:
        return self.event.about.value if self.event.about else ""


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    about: tuple[Told, ...] = ()


def line_of(loc: SourceLoc) -> str:
    return f" (line {loc.line})" if loc.line else ""
