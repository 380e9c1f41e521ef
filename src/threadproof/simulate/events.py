"""The steps made last, one line each, the newest at the bottom."""

from __future__ import annotations

from itertools import islice

from threadproof.core.thread_id import name, number
from threadproof.report.lanes import EVENT_STYLES, Line, StyledSpan
from threadproof.simulate.session import SessionPosition
from threadproof.simulate.world import SimulatedProgram, quiet


def event_lines(world: SimulatedProgram, here: SessionPosition, most: int) -> list[Line]:
    found = [step_line(world, position) for position in islice(here.back(), most)]
    return found[::-1] or [(StyledSpan(" nothing yet: `step` moves a thread, `help` lists the commands", "dim"),)]


def step_line(world: SimulatedProgram, position: SessionPosition) -> Line:
    """`  14  T1    line 18  turn = 0`"""
    done = position.done
    assert done is not None
    assert position.before is not None
    events: list[StyledSpan] = []
    for event in done.events:
        events.extend(
            [StyledSpan("; "), StyledSpan(event.text, EVENT_STYLES[event.kind])]
            if events
            else [StyledSpan(event.text, EVENT_STYLES[event.kind])]
        )
    if position.end:
        events.extend([*([StyledSpan("; ")] if events else []), StyledSpan(position.end, "bold red")])
    line = f"line {done.loc.line}" if done.loc.line else ""
    return (
        StyledSpan(f"{position.count:>5}  ", "dim"),
        StyledSpan(f"{name(done.thread):<5} ", "bold"),
        StyledSpan(f"{line:<9} "),
        *(events or [StyledSpan(quiet(world, position.before.state, number(done.thread)), "dim")]),
    )
