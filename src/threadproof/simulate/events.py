"""The steps made last, one line each, the newest at the bottom."""

from __future__ import annotations

from itertools import islice

from threadproof.core.thread_id import name, number
from threadproof.core.trace import EventKind
from threadproof.report.lanes import Line, Span
from threadproof.simulate.session import SessionPosition
from threadproof.simulate.world import SimulatedProgram, quiet

_STYLES = {
    EventKind.READ: "cyan",
    EventKind.WRITE: "yellow",
    EventKind.FLUSH: "yellow",
    EventKind.SYNC: "magenta",
    EventKind.CHOICE: "blue",
    EventKind.NOTE: "italic",
    EventKind.END: "bold red",
}


def event_lines(world: SimulatedProgram, here: SessionPosition, most: int) -> list[Line]:
    found = [step_line(world, position) for position in islice(here.back(), most)]
    return found[::-1] or [(Span(" nothing yet: `step` moves a thread, `help` lists the commands", "dim"),)]


def step_line(world: SimulatedProgram, position: SessionPosition) -> Line:
    """`  14  T1    line 18  turn = 0`"""
    done = position.done
    assert done is not None
    assert position.before is not None
    events: list[Span] = []
    for event in done.events:
        events.extend(
            [Span("; "), Span(event.text, _STYLES[event.kind])] if events else [Span(event.text, _STYLES[event.kind])]
        )
    if position.end:
        events.extend([*([Span("; ")] if events else []), Span(position.end, "bold red")])
    line = f"line {done.loc.line}" if done.loc.line else ""
    return (
        Span(f"{position.count:>5}  ", "dim"),
        Span(f"{name(done.thread):<5} ", "bold"),
        Span(f"{line:<9} "),
        *(events or [Span(quiet(world, position.before.state, number(done.thread)), "dim")]),
    )
