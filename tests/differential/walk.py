"""Walks the reference and the native machine through a program side by side and compares every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn

from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.decode import canonical
from threadproof.codegen.runs.leaks import Leaks
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import NativeFinished, NativeMoved, NativeOutcome, NotNative, OutOfCapacity
from threadproof.core.schedule import Move
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.domains import program_constants
from threadproof.semantics.leaks import allocates, lost_at_end, lost_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Outcome,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.state import State, live_threads


@dataclass(slots=True)
class Walked:
    """What was compared: outcomes by name, and what the native machine declined."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    declined: Counter[str] = field(default_factory=Counter[str])
    differences: list[str] = field(default_factory=list[str])

    def add(self, other: Walked) -> None:
        self.outcomes += other.outcomes
        self.declined += other.declined
        self.differences += other.differences


class Grown(Exception):
    """The native machine has been replaced by a larger one."""


class Pair:
    """One program on both machines."""

    def __init__(
        self,
        program: Program,
        granularity: Granularity,
        spurious: Spurious = Spurious.ON,
        effort: CompilerEffort = CompilerEffort.NONE,
    ) -> None:
        self.reference = Machine(program, granularity, spurious)
        self.native = NativeMachine(program, granularity, spurious, effort=effort)
        self._leaks = Leaks(self.native) if allocates(program) else None
        self._constants = program_constants(program)
        self.walked = Walked()
        self._known: dict[tuple[bytes, int, tuple[int, ...]], tuple[Outcome, NativeOutcome]] = {}
        self._first: int | None = None

    def walk(self, seed: int, steps: int, first: int | None = None) -> None:
        """One random walk; stops at the first difference. The first choice is given or as random as the others."""
        while True:
            self._first = first
            try:
                return self._walk(Random(seed), steps)
            except Grown:  # the same walk again, with states of another size
                self._known.clear()

    def _walk(self, rng: Random, steps: int) -> None:
        schedule: list[Move] = []
        reference, native = self.reference.initial(), self.native.initial()
        self._same("initial", reference, native, schedule)
        for _ in range(steps):
            threads = live_threads(reference)
            rng.shuffle(threads)
            following = None
            for number in threads:
                following = self._step(reference, native, number, rng, schedule)
                if following is not None or self.walked.differences:
                    break
            if following is None or self.walked.differences:
                return
            reference, native = following

    def _step(
        self, reference: State, native: bytes, number: int, rng: Random, schedule: list[Move]
    ) -> tuple[State, bytes] | None:
        """The successors of one thread's step, None if it has none."""
        choices: tuple[int, ...] = ()
        while True:
            expected, got = self._compared(reference, native, number, choices, schedule)
            match expected, got:
                case Choose(), Choose():
                    choices = (*choices, self._value(expected, rng))
                case Moved(), NativeMoved():
                    schedule.append(Move(reference.threads[number].id, choices))
                    return expected.state, got.state
                case _:
                    return None

    def _compared(
        self, reference: State, native: bytes, number: int, choices: tuple[int, ...], schedule: list[Move]
    ) -> tuple[Outcome, NativeOutcome]:
        """One step on both machines, compared unless an earlier walk did. The answer may be a step from a reference
        state that the native one does not tell apart from this."""
        key = (native, number, choices)
        if key not in self._known:
            self._known[key] = self._fresh(reference, native, number, choices, schedule)
        return self._known[key]

    def _fresh(
        self, reference: State, native: bytes, number: int, choices: tuple[int, ...], schedule: list[Move]
    ) -> tuple[Outcome, NativeOutcome]:
        thread = reference.threads[number].id
        expected = self.reference.step(reference, number, choices)
        got = self.native.step(native, thread, choices)
        if isinstance(got, OutOfCapacity):
            self._grow(got.room)
        schedule_here = [*schedule, Move(thread, choices)]
        self.walked.outcomes[type(expected).__name__] += 1
        match expected, got:
            case _, NotNative():
                self.walked.declined[got.construct] += 1
            case (Moved(), NativeMoved()) | (Finished(), NativeFinished()) if self._agree(expected, got):
                self._same(type(expected).__name__, expected.state, got.state, schedule_here)
                self._same_losses(expected, native, schedule_here)
            case _ if not self._agree(expected, got):
                self.walked.differences.append(f"{_short(expected)} != {_short(got)} after {schedule_here}")
            case _:
                self._same_losses(expected, native, schedule_here)
        return expected, got

    def _same_losses(self, expected: Outcome, native: bytes, schedule: list[Move]) -> None:
        """Blocks that nothing points to any more, where the step leads."""
        if self._leaks is None or isinstance(expected, Blocked | Choose | NotSupported):
            return
        moved = isinstance(expected, Moved)
        lost = lost_block(self.reference, expected.state) if moved else lost_at_end(self.reference, expected)
        if (lost is not None) != self._leaks.lost_by(native, schedule[-1].thread, schedule[-1].choices):
            self.walked.differences.append(f"{_short(expected)}: lost is {lost} after {schedule}")

    def _grow(self, room: str) -> NoReturn:
        larger = self.native.grown(room)
        assert larger is not None, f"more {room} than the limit"
        self.native = larger
        self._leaks = Leaks(larger)
        raise Grown

    def _value(self, choice: Choose, rng: Random) -> int:
        if self._first is not None:
            value, self._first = self._first, None
            return value
        near = [c + d for c in (0, *self._constants) for d in (-1, 0, 1) if choice.low <= c + d <= choice.high]
        values = [*near, choice.low, choice.high]
        return rng.choice(values) if rng.random() < 0.7 else rng.randint(choice.low, choice.high)

    def _same(self, where: str, reference: State, native: bytes, schedule: list[Move]) -> None:
        expected, got = canonical(self.reference, reference), self.native.decode(native)
        if expected != got:
            parts = [name for name in State._fields if getattr(expected, name) != getattr(got, name)]
            shown = "\n".join(f"  {name}: {getattr(expected, name)}\n  not {getattr(got, name)}" for name in parts)
            self.walked.differences.append(f"{where}: states differ after {schedule}\n{shown}")

    def _agree(self, expected: Outcome, got: NativeOutcome) -> bool:
        match expected, got:
            case (Moved(), NativeMoved()):
                return True
            case (Finished(), NativeFinished()):
                return (expected.kind, expected.loc) == (got.kind, got.loc) or not expected.loc.line
            case (Failed(), Failed()):
                return (expected.kind, expected.message, expected.loc) == (got.kind, got.message, got.loc)
            case (UndefinedBehaviour(), UndefinedBehaviour()):
                return (expected.kind, expected.detail, expected.loc) == (got.kind, got.detail, got.loc)
            case (AssumptionFailed(), AssumptionFailed()) | (Stuck(), Stuck()):
                return expected.loc == got.loc
            case (NotSupported(), NotSupported()):
                return (expected.construct, expected.loc) == (got.construct, got.loc)
            case (Blocked(), Blocked()) | (Choose(), Choose()):
                return expected == got
            case _:
                return False


def _short(outcome: Any) -> str:
    fields = {
        name: getattr(outcome, name)
        for name in getattr(outcome, "__dataclass_fields__", ())
        if name not in ("state", "effects")
    }
    return f"{type(outcome).__name__}({fields})"


def compare(
    program: Program,
    granularity: Granularity,
    *,
    walks: int,
    steps: int,
    spurious: Spurious = Spurious.ON,
    firsts: Sequence[int | None] = (None,),
) -> Walked:
    """So many walks for each of the first choices."""
    pair = Pair(program, granularity, spurious)
    for first in firsts:
        for seed in range(walks):
            pair.walk(seed, steps, first)
            if pair.walked.differences:
                return pair.walked
    return pair.walked


def visibly(program: Program, walks: int = 6, firsts: Sequence[int | None] = (None,)) -> Walked:
    return compare(normalise(program), Granularity.VISIBLE, walks=walks, steps=60, firsts=firsts)


def by_instruction(program: Program, walks: int = 3, firsts: Sequence[int | None] = (None,)) -> Walked:
    """Without spurious wake-ups, as statistical model checking has it."""
    form = instruction_form(program)
    return compare(form, Granularity.INSTRUCTION, walks=walks, steps=200, spurious=Spurious.OFF, firsts=firsts)
