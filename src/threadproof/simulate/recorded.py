"""A counterexample as plain data, for a page: after every step the variables, the locks and where threads stand.

Only what a step changes is kept; the page adds it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from threadproof.core.property import Property
from threadproof.core.thread_id import name
from threadproof.core.trace import Trace
from threadproof.semantics.machine import Machine
from threadproof.simulate.data import show
from threadproof.simulate.locks import locks
from threadproof.simulate.session import Session, SessionPosition, advance, begin
from threadproof.simulate.variables import locals_of, shared
from threadproof.simulate.world import SimulatedProgram, where

MOST_VARIABLES = 400
MOST_TEXT = 400  # signs of one value


def recorded(machine: Machine, prop: Property, trace: Trace) -> list[dict[str, Any]]:
    """One entry per moment: the start, then after each step of the trace."""
    world = SimulatedProgram(machine, prop)
    session = begin(world)
    for move in trace.schedule:  # once to have seen all states: names depend on what is still to come
        after = advance(session, move)
        if not isinstance(after, Session):
            break
        session = after
    return list(_changes(world, [begin(world).here, *reversed(list(session.here.back()))]))


def _changes(world: SimulatedProgram, positions: list[SessionPosition]) -> Iterator[dict[str, Any]]:
    before: dict[str, dict[str, str]] = {"variables": {}, "locks": {}, "threads": {}}
    for position in positions:
        now = {
            "variables": dict(_variables(world, position)),
            "locks": {lock.title: lock.says for lock in locks(world, position)},
            "threads": dict(_threads(world, position)),
        }
        yield {kind: _changed(before[kind], values) for kind, values in now.items()}
        before = now


def _changed(before: dict[str, str], now: dict[str, str]) -> dict[str, str | None]:
    """None: it is gone."""
    return {title: now.get(title) for title in {**before, **now} if before.get(title) != now.get(title)}


def _variables(world: SimulatedProgram, position: SessionPosition) -> Iterator[tuple[str, str]]:
    for count, named in enumerate(shared(world, position.state)):
        if count >= MOST_VARIABLES:
            return
        yield named.title, show(world.names, position.state, named.datum)[:MOST_TEXT]
    for _, thread in sorted(position.state.threads.items()):
        for local in locals_of(world, position.state, thread.id):
            yield f"{name(thread.id)}::{local.title}", show(world.names, position.state, local.datum)[:MOST_TEXT]


def _threads(world: SimulatedProgram, position: SessionPosition) -> Iterator[tuple[str, str]]:
    for key, thread in sorted(position.state.threads.items()):
        function, loc = where(world, position.state, key)
        yield name(thread.id), f"{function}\t{loc.file}\t{loc.line}" if thread.frames else ""
