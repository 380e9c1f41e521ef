"""From a counterexample of a sequentialized program to a schedule of the original.

The sequential run says in which order threads moved, from one place to the next: each store to `pc[i]` by thread i ends
one of its turns. The original makes the same turns: the thread moves until it stands at the same place. What the run
chose on the way is chosen again.

Invariants: the schedule given is one the reference semantics has made, up to an error. Where the original cannot follow
there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeGuard

from threadproof.codegen.sequential import Sequential
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import MAIN, ThreadId, number
from threadproof.evidence.replay import machine_for
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Access, AccessKind, Blocked, Choose, Effect, Failed, Happening, Moved, Outcome
from threadproof.semantics.state import Pending, Phase, State

FINISHED, MOST_MOVES = 0, 20_000
_MALLOC = "which memory malloc returns"


class Came(Enum):
    """What a move came to."""

    ON = "on"
    TOO_FAR = "too far"  # not made: the thread stands at a choice of a later turn
    NOWHERE = "nowhere"  # the original cannot make it


@dataclass(frozen=True, slots=True)
class Back:
    original: Program
    sequential: Sequential
    program: Program  # the sequential text, read


@dataclass(slots=True)
class Turn:
    """A thread goes on to a place (None: to an error), answers questions, and may create threads on the way."""

    thread: int
    target: int | None = None
    choices: list[int] = field(default_factory=list[int])
    created: list[int] = field(default_factory=list[int])


def lies_beyond(back: Back, schedule: Schedule) -> str | None:
    """What the generated program does not cover, where that is its error: a bound, or a construct with its line."""
    last = list(_outcomes(back, schedule))[-1]
    if not isinstance(last, Failed) or last.loc.line in back.sequential.thread_of:
        return None
    frames = last.state.threads[number(MAIN)].frames if last.state is not None else ()
    if len(frames) < 2:
        return "something that cannot be written"
    caller = frames[-2]  # of the function `beyond`
    call = list(back.program.functions[caller.function].instrs())[caller.pc - 1]
    told = re.search(r'\bbeyond\("(.*?)"\)', back.sequential.text.splitlines()[call.loc.line - 1])
    return told[1] if told else "something that cannot be written"


def in_original(back: Back, schedule: Schedule) -> Schedule | None:
    return _Follower(back).follow(list(_turns(back, schedule)))


# --- what the sequential run did -------------------------------------------------------------------------------------


def _outcomes(back: Back, schedule: Schedule) -> Iterator[Outcome]:
    """Everything counts as shared, so that every access is told."""
    functions = {name: replace(f, unshared=frozenset()) for name, f in back.program.functions.items()}
    machine = machine_for(replace(back.program, functions=functions, unshared=frozenset()), Property.UNREACH_CALL)
    state = machine.initial()
    for move in schedule:
        outcome = machine.move(state, move)
        yield outcome
        if not isinstance(outcome, Moved):
            return
        state = outcome.state


def _turns(back: Back, schedule: Schedule) -> Iterator[Turn]:
    thread_of = back.sequential.thread_of
    pc = back.program.layout().globals["pc"]
    count = len(back.sequential.threads)
    turn = Turn(0)
    for outcome in _outcomes(back, schedule):
        for effect in () if isinstance(outcome, Choose | Blocked) else outcome.effects:
            writer = thread_of.get(effect.loc.line) if isinstance(effect, Access | Happening) else None
            if _is_choice(effect, back):
                turn.choices.append(effect.value)
            index = _counter(effect, pc, count)
            if index is None or writer is None or not isinstance(effect, Access):
                continue
            turn.thread = writer
            if index == writer:
                turn.target = effect.value
                yield turn
                turn = Turn(0)
            else:
                turn.created.append(index)
        if isinstance(outcome, Failed):
            turn.thread = thread_of.get(outcome.loc.line) or 0
            yield turn


def _counter(effect: Effect, pc: int, count: int) -> int | None:
    """The thread whose counter the effect sets."""
    if not isinstance(effect, Access) or effect.kind is not AccessKind.WRITE:
        return None
    index, rest = divmod(effect.address - pc, 4)
    return index if 0 <= index < count and not rest else None


def _is_choice(effect: Effect, back: Back) -> TypeGuard[Happening]:
    """Whether the original makes this choice too: not which thread is next, nor which memory is free."""
    if not isinstance(effect, Happening) or effect.kind != "choice" or effect.text == _MALLOC:
        return False
    return effect.loc.line not in back.sequential.choosing


# --- the same in the original ----------------------------------------------------------------------------------------


class _Follower:
    def __init__(self, back: Back) -> None:
        self._back = back
        self._machine: Machine = machine_for(back.original, Property.UNREACH_CALL)
        self._state: State = self._machine.initial()
        self._moves: list[Move] = []
        self._identity: dict[int, ThreadId] = {0: MAIN}
        self._created: dict[int, int] = {}
        self._answers: dict[int, list[int]] = {}  # by thread: what it chooses next
        self._at: dict[int, int] = {}  # by thread: its counter
        self._failed = False

    def follow(self, turns: list[Turn]) -> Schedule | None:
        for turn in turns:
            for child in turn.created:
                place = self._created.get(turn.thread, 0)
                self._created[turn.thread] = place + 1
                self._identity[child] = (*self._identity[turn.thread], place)
            self._answers.setdefault(turn.thread, []).extend(turn.choices)
            before = self._at.get(turn.thread, 1)
            self._at[turn.thread] = turn.target or 0
            if turn.target not in (None, FINISHED) and before in self._back.sequential.quiet[turn.thread]:
                continue  # what nobody notices comes with the thread's next turn
            if not self._make(turn) or self._failed:
                break
        return tuple(self._moves) if self._failed else None

    def _make(self, turn: Turn) -> bool:
        """Whether the original could make the turn. A thread that is alone gets further than to what others notice."""
        thread = number(self._identity[turn.thread])
        before = self._state.threads[thread]
        counts = before.pending is not Pending.LOCAL or len(self._state.threads) == 1
        for _ in range(MOST_MOVES):
            match self._move(turn, thread):
                case Came.NOWHERE:
                    return False
                case Came.TOO_FAR:
                    return True
                case Came.ON if self._failed or (counts and self._is_at(thread, turn)):
                    return True
                case Came.ON:
                    counts = True
        return False

    def _is_at(self, thread: int, turn: Turn) -> bool:
        now = self._state.threads[thread]
        if turn.target is None:
            return False
        if now.phase is Phase.FINISHED or not now.frames:
            return True
        if turn.target == FINISHED:
            return False
        places = self._back.sequential.places[turn.thread].get(turn.target)
        if places is None:  # it will end the run
            return True
        here = now.frames[-1].function, now.frames[-1].pc
        return here in {(function, self._index(function, block, at)) for function, block, at in places}

    def _index(self, function: str, label: str, at: int) -> int:
        index = 0
        for block in self._back.original.functions[function].blocks:
            if block.label == label:
                return index + at
            index += len(block.instrs)
        raise AssertionError(label)

    def _move(self, turn: Turn, thread: int) -> Came:
        if self._state.threads[thread].phase is Phase.FINISHED:
            return Came.ON
        answers, used = self._answers[turn.thread], 0
        choices: tuple[int, ...] = ()
        outcome = self._machine.step(self._state, thread, choices)
        while isinstance(outcome, Choose):
            value = outcome.low
            if outcome.source != _MALLOC:
                if used == len(answers):  # the sequential run chooses this in a later turn
                    return Came.TOO_FAR
                value, used = answers[used], used + 1
            choices = (*choices, min(max(value, outcome.low), outcome.high))
            outcome = self._machine.step(self._state, thread, choices)
        del answers[:used]
        self._moves.append(Move(self._state.threads[thread].id, choices))
        self._failed = isinstance(outcome, Failed)
        if isinstance(outcome, Moved):
            self._state = outcome.state
        return Came.ON if self._failed or isinstance(outcome, Moved) else Came.NOWHERE
