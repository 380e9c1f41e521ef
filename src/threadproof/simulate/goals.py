"""What `until` waits for: a source line, a function, a condition, or the end."""

from __future__ import annotations

import re

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import name, number
from threadproof.ir.instr import Assign, Branch, Call, Jump, Switch
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import State
from threadproof.simulate.evaluate import NameScope, Undetermined, Wrong
from threadproof.simulate.runs import Goal, never
from threadproof.simulate.session import Refusal, Session
from threadproof.simulate.syntax import SyntaxProblem, parse
from threadproof.simulate.world import SimulatedProgram, where

_LINE = re.compile(r"(?:(?P<file>\S+):)?(?P<line>\d+)")
_NEVER_FIRST = (Assign, Branch, Jump, Switch, Call)
"""Instructions nobody notices: no visible step begins at them."""


def goal_of(session: Session, text: str) -> Goal | Refusal:
    line = _LINE.fullmatch(text)
    if text == "end":
        return never
    if line is not None:
        return _at_line(session.world, line["file"] or "", int(line["line"]))
    if text in session.world.machine.program.functions:
        return _in_function(text)
    return _condition(session, text)


def _at_line(world: SimulatedProgram, file: str, line: int) -> Goal | Refusal:
    def fits(loc: SourceLoc) -> bool:
        same = not file or loc.file == file or loc.file.endswith(f"/{file}")
        return loc.line == line and same and not loc.file.startswith("<")

    here = [instr for instr in world.machine.program.instrs() if fits(instr.loc)]
    if not here:
        return f"there is no code on {file or 'line'}{':' if file else ' '}{line}{_nearest(world, line)}"
    if world.granularity is Granularity.VISIBLE and all(isinstance(instr, _NEVER_FIRST) for instr in here):
        return (
            f"no visible step begins on line {line}: other threads cannot notice it "
            "(--granularity instruction stops at every line)"
        )

    def reached(session: Session) -> str:
        moved = session.here.move
        if moved is None:
            return ""
        _, loc = where(session.world, session.state, number(moved.thread))
        return f"{name(moved.thread)} is at {loc}" if fits(loc) else ""

    return reached


def _nearest(world: SimulatedProgram, line: int) -> str:
    lines = {instr.loc.line for instr in world.machine.program.instrs() if not instr.loc.file.startswith("<")} - {0}
    return f": the nearest code is on line {min(lines, key=lambda other: abs(other - line))}" if lines else ""


def _in_function(function: str) -> Goal:
    def entered(session: Session) -> str:
        moved, before = session.here.move, session.here.before
        if moved is None or before is None:
            return ""
        now, then = (_calls(state, number(moved.thread), function) for state in (session.state, before.state))
        return f"{name(moved.thread)} is in {function}" if now > then else ""

    return entered


def _calls(state: State, thread: int, function: str) -> int:
    """How many calls of the function a thread is in; before its first step it has not entered anything."""
    running = state.threads[thread]
    started = any(frame.pc for frame in running.frames)
    return sum(frame.function == function for frame in running.frames) if started else 0


def _condition(session: Session, text: str) -> Goal | Refusal:
    try:
        node = parse(text)
    except SyntaxProblem as problem:
        return f"cannot wait for '{text}': {problem}"
    try:
        NameScope(session.world, session.state, session.focus).number(node)
    except Undetermined:
        pass
    except Wrong as problem:
        return f"cannot wait for '{text}': {problem}"

    def holds(later: Session) -> str:
        return f"{text} holds" if NameScope(later.world, later.state, later.focus).holds(node) else ""

    return holds
