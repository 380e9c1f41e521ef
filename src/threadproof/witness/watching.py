"""The reference machine, with a report of the statements, branches and calls that each step comes by.

Witnesses speak of source text, the machine of instructions. `WatchedMachine` is the machine of `semantics`, whose
operations tell a watcher where they are before they are made, and that they were made.

Invariants: outcomes are those of the machine; a step reports a statement when it comes to the first instruction of it,
also if that one is left to the next step, which does not report it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from threadproof.core.property import Property
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.evidence.replay import machine_for
from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr
from threadproof.ir.program import Program
from threadproof.semantics.code import Code
from threadproof.semantics.machine import Machine
from threadproof.semantics.ops import Op
from threadproof.semantics.outcome import Happening, Outcome, Telling
from threadproof.semantics.run import STOP, Run
from threadproof.semantics.state import Pending, State
from threadproof.sync.facts import Act, does
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts


class SightKind(Enum):
    STATEMENT = "comes to a statement"
    BRANCH = "has evaluated a condition"
    ENTER = "calls a function"
    RETURN = "comes back from a function"


@dataclass(frozen=True, slots=True)
class Sight:
    """`offset` is where the format has the waypoint: the first character of a statement, the closing parenthesis of a
    call. `state` makes the state of this moment; it is for statements and branches, and to be asked at once."""

    kind: SightKind
    thread: ThreadId
    text: SourceText
    offset: int
    function: str  # that the thread is in
    statement: CStatement | None
    state: Callable[[], State]
    taken: bool = False  # of a branch
    called: str = ""
    value: int | None = None  # that a call returned, if known
    creates: bool = False  # the call creates a thread


Watcher = Callable[[Sight], None]


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an instruction stands in the text."""

    text: SourceText
    statement: CStatement
    offset: int
    call_end: int | None


class WatchedMachine:
    def __init__(self, program: Program, prop: Property, texts: SourceTexts) -> None:
        self.machine: Machine = machine_for(program, prop)
        self._texts = texts
        self._spots: dict[SourceLoc, _Spot | None] = {}
        self._last: list[_Spot | None] = []  # by frame: where its last instruction stood
        self._watcher: Watcher | None = None
        self._seeable: set[tuple[str, CStatement, SightKind]] | None = None
        for code in self.machine.static.codes.values():
            spots = [self._spot(instr.loc) for instr in code.instrs]
            code.ops = [self._watched(code, pc, op, spots[pc]) for pc, op in enumerate(code.ops)]

    def step(self, state: State, number: int, choices: tuple[int, ...], watcher: Watcher) -> Outcome:
        """A step of the thread, which tells the watcher what it comes by."""
        self._watcher = watcher
        self._last = []
        for depth, frame in enumerate(state.threads[number].frames):
            top = depth == len(state.threads[number].frames) - 1
            local = state.threads[number].pending is Pending.LOCAL
            fresh = top and depth == 0 and frame.pc == 0 and local  # it has not come there yet
            instr = self.machine.static.codes[frame.function].instrs[frame.pc if top else frame.pc - 1]
            self._last.append(None if fresh else self._spot(instr.loc))
        try:
            return self.machine.step(state, number, choices)
        finally:
            self._watcher = None

    def can_see(self, file: str, statement: CStatement, kind: SightKind) -> bool:
        """Whether some instruction of the program makes such a sight of the statement."""
        if self._seeable is None:
            self._seeable = set(self._all_sights())
        return (file, statement, kind) in self._seeable

    def _all_sights(self) -> Iterator[tuple[str, CStatement, SightKind]]:
        for instr in (instr for code in self.machine.static.codes.values() for instr in code.instrs):
            spot = self._spot(instr.loc)
            if spot is None:
                continue
            kinds = [SightKind.STATEMENT, *([SightKind.BRANCH] if spot.statement.has_header else [])]
            if spot.call_end is not None and isinstance(instr, ir.Call | ir.Sync):
                kinds += [SightKind.ENTER, SightKind.RETURN]
            elif spot.call_end is not None and isinstance(instr, ir.Nondet):
                kinds.append(SightKind.RETURN)
            yield from ((spot.text.path, spot.statement, kind) for kind in kinds)

    def _spot(self, loc: SourceLoc) -> _Spot | None:
        if loc not in self._spots:
            self._spots[loc] = self._found(loc)
        return self._spots[loc]

    def _found(self, loc: SourceLoc) -> _Spot | None:
        text = self._texts.of(loc.file) if loc.line and loc.column else None
        offset = None if text is None else text.offset(loc.line, loc.column)
        statement = None if text is None else text.statement(loc.line, loc.column)
        if text is None or offset is None or statement is None:
            return None
        return _Spot(text, statement, offset, text.call_end(loc.line, loc.column))

    def _watched(self, code: Code, pc: int, op: Op, spot: _Spot | None) -> Op:
        instr = code.instrs[pc]

        def watched(run: Run) -> int:
            if self._watcher is None:
                return op(run)
            depth = len(run.frames)
            self._come_to(run, code, pc, depth, spot)
            effects = len(run.effects)
            following = op(run)
            if following != STOP:
                self._done(run, code, pc, instr, depth, spot, run.effects[effects:])
            return following

        return watched

    # --- what is told ------------------------------------------------------------------------------------------------

    def _come_to(self, run: Run, code: Code, pc: int, depth: int, spot: _Spot | None) -> None:
        last = self._last[depth] if depth < len(self._last) else None
        del self._last[depth + 1 :]
        while len(self._last) <= depth:
            self._last.append(None)
        if spot is None:
            return
        self._last[depth] = spot
        if last is not None and last.statement == spot.statement and last.text is spot.text:
            return

        def tell(kind: SightKind, of: _Spot, taken: bool = False) -> None:
            self._tell(run, code, pc, kind, of, of.statement.start, taken=taken)

        if last is not None and last.text is spot.text and last.statement.has_header:
            tell(SightKind.BRANCH, last, last.statement.in_body(spot.offset))
        if not (last is not None and spot.statement.has_header and spot.statement.in_body(last.offset)):
            tell(SightKind.STATEMENT, spot)  # the next round of a loop does not come to it anew

    def _done(
        self, run: Run, code: Code, pc: int, instr: Instr, depth: int, spot: _Spot | None, effects: list[Any]
    ) -> None:
        if isinstance(instr, ir.Return) and depth:
            self._returned(run)
        elif spot is None or spot.call_end is None:
            return
        elif isinstance(instr, ir.Call):
            self._tell(run, code, pc, SightKind.ENTER, spot, spot.call_end, called=run.code.name)
        elif isinstance(instr, ir.Sync):
            creates = does(instr, Act.CREATE)
            self._tell(run, code, pc, SightKind.ENTER, spot, spot.call_end, called=instr.op, creates=creates)
            self._tell(run, code, pc, SightKind.RETURN, spot, spot.call_end, called=instr.op)
        elif isinstance(instr, ir.Nondet):
            chosen = [e.value for e in effects if isinstance(e, Happening) and e.kind is Telling.CHOICE]
            value = chosen[0] if chosen and isinstance(chosen[0], int) else None
            self._tell(run, code, pc, SightKind.RETURN, spot, spot.call_end, called=instr.source, value=value)

    def _returned(self, run: Run) -> None:
        """The running frame is the caller's now: its call stands before where it goes on."""
        at = run.pc - 1
        spot = self._spot(run.code.instrs[at].loc)
        if spot is not None and spot.call_end is not None:
            self._tell(run, run.code, at, SightKind.RETURN, spot, spot.call_end)

    def _tell(self, run: Run, code: Code, pc: int, kind: SightKind, spot: _Spot, offset: int, **more: Any) -> None:
        assert self._watcher is not None
        state = run.state if run.first else None

        def now() -> State:
            return run.freeze(pc, Pending.VISIBLE) if state is None else state

        function = code.name
        self._watcher(Sight(kind, run.thread.id, spot.text, offset, function, spot.statement, now, **more))
