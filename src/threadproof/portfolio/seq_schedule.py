"""From a counterexample of a sequentialized program to a schedule of the original.

The sequential run says in which order threads moved, from one place to the next: each store to `pc[i]` by thread i ends
one of its turns. The original makes the same turns: the thread moves until it stands at the same place. What the run
chose on the way is chosen again.

Invariants: the schedule given is one the reference semantics has made, up to an error. Where the original cannot follow
there is none.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeGuard

from threadproof.codegen.sequential import Sequential
from threadproof.core.property import Property
from threadproof.core.schedule import Schedule
from threadproof.core.thread_id import MAIN, ThreadId, number
from threadproof.evidence.replay import machine_for
from threadproof.ir.program import Program
from threadproof.semantics.choices import Answer, fitted
from threadproof.semantics.guide import Astray, Goal, Later, lead, played
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    Blocked,
    Choose,
    Effect,
    Failed,
    Happening,
    Outcome,
    OwnChoice,
    Telling,
    own_choice,
)
from threadproof.semantics.state import Phase, Thread

FINISHED = 0


@dataclass(frozen=True, slots=True)
class Back:
    original: Program
    sequential: Sequential
    program: Program  # the sequential text, read


@dataclass(slots=True)
class SequentialTurn:
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
    return (made.outcome for made in played(machine, schedule))


def _turns(back: Back, schedule: Schedule) -> Iterator[SequentialTurn]:
    thread_of = back.sequential.thread_of
    pc = back.program.layout().globals["pc"]
    count = len(back.sequential.threads)
    turn = SequentialTurn(0)
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
                turn = SequentialTurn(0)
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
    if (
        not isinstance(effect, Happening)
        or effect.kind is not Telling.CHOICE
        or own_choice(effect.text) is OwnChoice.BLOCK
    ):
        return False
    return effect.loc.line not in back.sequential.choosing


# --- the same in the original ----------------------------------------------------------------------------------------


class _Follower:
    """Turns of the sequential run as goals of the original's machine."""

    def __init__(self, back: Back) -> None:
        self._back = back
        self._identity: dict[int, ThreadId] = {0: MAIN}
        self._created: dict[int, int] = {}
        self._answers: dict[ThreadId, deque[int]] = {}  # by thread: what it chooses next

    def follow(self, turns: list[SequentialTurn]) -> Schedule | None:
        machine = machine_for(self._back.original, Property.UNREACH_CALL)
        try:
            guide = lead(machine, self._goals(turns), self._answering)
        except Astray:
            return None
        return guide.schedule if isinstance(guide.outcome, Failed) else None

    def _goals(self, turns: list[SequentialTurn]) -> Iterator[Goal]:
        """One by one: the answers of a turn are there when its goal is, and not before."""
        at: dict[int, int] = {}  # by thread: its counter
        for turn in turns:
            for child in turn.created:
                place = self._created.get(turn.thread, 0)
                self._created[turn.thread] = place + 1
                self._identity[child] = (*self._identity[turn.thread], place)
            identity = self._identity[turn.thread]
            self._answers.setdefault(identity, deque()).extend(turn.choices)
            before = at.get(turn.thread, 1)
            at[turn.thread] = turn.target or 0
            if turn.target not in (None, FINISHED) and before in self._back.sequential.quiet[turn.thread]:
                continue  # what others cannot notice comes with the thread's next turn
            yield Goal(identity, partial(self._is_at, turn))

    def _answering(self, thread: ThreadId) -> Answer:
        given, answers = list[int](), self._answers[thread]

        def answer(choice: Choose) -> int:
            if choice.own is OwnChoice.BLOCK:
                return choice.low
            if not answers:  # the sequential run chooses this in a later turn: the step is made again then
                answers.extendleft(reversed(given))
                raise Later
            given.append(answers.popleft())
            return fitted(choice, given[-1])

        return answer

    def _is_at(self, turn: SequentialTurn, now: Thread) -> bool:
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
