"""A session as lines of styled text: header, threads, source panes, variables beside locks, events, answer.

Pure: width and height in, lines out. What does not fit is cut with a count, least important things first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from threadproof.core.property import Property
from threadproof.core.thread_id import name
from threadproof.report.lanes import Line, StyledSpan
from threadproof.semantics.run import Granularity
from threadproof.simulate.data import show
from threadproof.simulate.evaluate import NameScope, Undetermined, Wrong, value_of
from threadproof.simulate.events import event_lines
from threadproof.simulate.locks import locks
from threadproof.simulate.panes import panes
from threadproof.simulate.session import Session
from threadproof.simulate.text import ACROSS, HERE, beside, clip
from threadproof.simulate.variables import locals_of, shared
from threadproof.simulate.world import Status, ThreadStanding, race, statuses, where

_MARKS = {
    ThreadStanding.READY: "green",
    ThreadStanding.ASKS: "blue",
    ThreadStanding.BLOCKED: "yellow",
    ThreadStanding.STOPPED: "",
    ThreadStanding.FINISHED: "dim",
}


@dataclass(frozen=True, slots=True)
class Room:
    """How many lines each part may have."""

    threads: int
    source: int
    data: int
    events: int


PAGE = Room(threads=12, source=7, data=14, events=8)
"""For paper and pipes: there is no height to fit into."""


def room_for(height: int, threads: int, parts: int) -> Room:
    """Shares of a screen: `parts` is how many lines of variables and locks there are."""
    left = max(8, height - 6)  # header, three rules, the answer, the input line
    table = min(threads, max(3, left // 4))
    left -= table
    data = min(parts, max(2, left // 3))
    left -= data
    source = max(3, min(13, left * 3 // 5))
    return Room(table, source, data, max(1, left - source))


def screen(session: Session, width: int, height: int) -> list[Line]:
    left, right = _variables(session), _locks(session)
    count = len(session.state.threads)
    room = room_for(height, count, max(len(left), len(right)))
    return _lay_out(session, width, room, left, right)


def page(session: Session, width: int) -> list[Line]:
    return _lay_out(session, width, PAGE, _variables(session), _locks(session))


def _lay_out(session: Session, width: int, room: Room, left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    now = statuses(session.world, session.state, bool(session.here.end))
    half = width if not right else max(width // 2, width - 44)
    rule = _rule("variables", half) + (_rule("locks", width - half) if right else ())
    data = beside([(_cut(left, room.data), half), (_cut(right, room.data), width - half)])
    return [
        clip(header(session), width),
        *(clip(line, width) for line in _thread_table(session, now, room.threads)),
        *panes(session, now, width, room.source),
        rule,
        *data,
        _rule("last steps", width),
        *(clip(line, width) for line in event_lines(session.world, session.here, room.events)),
    ]


def header(session: Session) -> Line:
    program = session.world.machine.program
    unit = "visible steps" if session.world.granularity is Granularity.VISIBLE else "instructions"
    ahead = f" · schedule: {len(session.ahead)} more" if session.ahead else ""
    files = " ".join(program.sources) or program.name
    return (
        StyledSpan(f" {files}", "bold"),
        StyledSpan(f" · {unit} · step {session.here.count} · seed {session.seed}{ahead}", "dim"),
    )


def _rule(title: str, width: int) -> Line:
    start = f"{ACROSS}{ACROSS} {title} "
    return (StyledSpan(start + ACROSS * max(0, width - len(start)), "dim"),)


# --- threads -------------------------------------------------------------------------------------------------------


def _thread_table(session: Session, now: list[Status], most: int) -> Iterator[Line]:
    shown = now if len(now) <= most else _interesting(session, now, most - 1)
    names = max(len(name(status.thread)) for status in shown)
    places = [str(s.loc.line) if s.loc.line else "" for s in shown]
    for status, place in zip(shown, places, strict=True):
        focused = status.thread == session.focus
        mark = HERE if focused else " "
        line = f"line {place:<4}" if place else " " * 9
        yield (
            StyledSpan(f" {mark} ", "bold"),
            StyledSpan(f"{name(status.thread):<{names}}  ", "bold" if focused else ""),
            StyledSpan(f"{line} "),
            StyledSpan(
                _word(session, status), "bold " + _MARKS[status.standing] if focused else _MARKS[status.standing]
            ),
        )
    if len(shown) < len(now):
        yield (StyledSpan(f"   and {len(now) - len(shown)} more threads", "dim"),)


def _word(session: Session, status: Status) -> str:
    if session.asking is not None and session.asking.thread == status.thread:
        return f"needs a value: {session.asking.choose.source}"
    return status.says


def _interesting(session: Session, now: list[Status], most: int) -> list[Status]:
    """The focused thread, then those that are not over, in order of creation."""
    kept = sorted(now, key=lambda s: (s.thread != session.focus, s.standing is ThreadStanding.FINISHED, s.number))[
        :most
    ]
    return sorted(kept, key=lambda s: s.number)


# --- variables and locks --------------------------------------------------------------------------------------------


def _variables(session: Session) -> list[Line]:
    world, state = session.world, session.state
    changed = _changed(session)
    lines: list[Line] = []
    scope = NameScope(world, state, session.focus)
    for watch in session.watches:
        try:
            value = value_of(scope, watch)
        except (Undetermined, Wrong) as problem:
            value = f"({problem})"
        lines.append((StyledSpan(f" {watch} = {value}", "cyan"),))
    for named in shared(world, state):
        value = show(world.names, state, named.datum)
        lines.append(
            (StyledSpan(f" {named.title} = "), StyledSpan(value, "bold yellow" if named.title in changed else "bold"))
        )
    function, _ = where(world, state, _number(session))
    here = [n for n in locals_of(world, state, session.focus) if f"{name(session.focus)}::{n.title}" not in changed]
    mine = ", ".join(f"{n.title} = {show(world.names, state, n.datum)}" for n in here)
    if mine:
        lines.append((StyledSpan(f" {name(session.focus)} in {function}: {mine}", "dim"),))
    return lines


def _number(session: Session) -> int:
    return next((key for key, t in session.state.threads.items() if t.id == session.focus), 0)


def _changed(session: Session) -> set[str]:
    """Titles of the shared variables that the last step changed."""
    before = session.here.before
    if before is None:
        return set()
    old = {n.title: n.datum for n in shared(session.world, before.state)}
    return {n.title for n in shared(session.world, session.state) if old.get(n.title) != n.datum}


def _locks(session: Session) -> list[Line]:
    return [
        (
            StyledSpan(f" {lock.title}: "),
            StyledSpan(lock.says, "magenta" if lock.held else ""),
            StyledSpan(f"  {lock.kind}", "dim"),
        )
        for lock in locks(session.world, session.here)
    ]


def _cut(lines: Sequence[Line], most: int) -> list[Line]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], (StyledSpan(f" and {len(lines) - most + 1} more", "dim"),)]


# --- what was said ---------------------------------------------------------------------------------------------------


def notices(session: Session) -> list[Line]:
    """What a person has to know now: a question, the end, the end of the schedule, a race."""
    found: list[Line] = []
    if session.asking is not None:
        found.append((StyledSpan(f"{session.asking}: type it", "bold blue"),))
    if session.here.end:
        found.append((StyledSpan(f"The execution ends: {session.here.end}", "bold red"),))
    elif session.goal and not session.ahead and session.here.count:
        found.append((StyledSpan(f"The schedule ends here: {session.goal}", "bold red"),))
    if session.world.property is Property.NO_DATA_RACE and not session.here.end:
        said = race(session.world, session.state)
        found.extend([(StyledSpan(said, "bold red"),)] if said else [])
    return found
