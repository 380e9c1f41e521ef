"""Runs on the native step machine: whole batches without the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from threadproof.codegen.machine import monitor as m
from threadproof.codegen.machine.numbering import Numbering
from threadproof.codegen.runs import batch as native
from threadproof.codegen.runs.growing import Growing
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Uniform
from threadproof.core.errors import ThreadproofError
from threadproof.core.schedule import Schedule
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.c_text import NoText, c_text
from threadproof.engines.smc.language.goal import CountStates, PathFormula, QueryGoal, Question, WatchedTerm
from threadproof.engines.smc.language.score import GOAL, Score, ScoreObserver
from threadproof.engines.smc.language.syntax import Measure, PathKind
from threadproof.engines.smc.sampling.particles import Flights, Regrown, Snapshot, require_reachability
from threadproof.engines.smc.sampling.sampler import Ending, RunAnswer, RunBatch
from threadproof.ir.program import Program
from threadproof.semantics.run import Granularity, Spurious

_ENDINGS = {
    OutcomeKind.FINISHED: Ending.FINISHED,
    OutcomeKind.FAILED: Ending.ERROR,
    OutcomeKind.UNDEFINED: Ending.UNDEFINED,
    OutcomeKind.ASSUMPTION: Ending.ASSUMPTION,
    OutcomeKind.STUCK: Ending.DEADLOCK,
    OutcomeKind.UNSUPPORTED: Ending.UNSUPPORTED,
    OutcomeKind.NOT_NATIVE: Ending.UNSUPPORTED,
    OutcomeKind.DEADLOCK: Ending.DEADLOCK,
    OutcomeKind.STEPS: Ending.BOUND,
    OutcomeKind.DECIDED: Ending.DECIDED,
}
_ENDING_OF = np.full(32, Ending.UNSUPPORTED, np.int8)
for _kind, _ending in _ENDINGS.items():
    _ENDING_OF[_kind] = _ending
_MEASURES = {
    Measure.MAX: m.MonitorAggregate.MAX,
    Measure.MIN: m.MonitorAggregate.MIN,
    Measure.AVG: m.MonitorAggregate.AVERAGE,
}


def machine_for(program: Program, monitor: m.Monitor) -> NativeMachine:
    return NativeMachine(program, Granularity.INSTRUCTION, Spurious.OFF, monitor)


def _monitor(numbering: Numbering, question: Question, score: e.Term | None = None) -> m.Monitor:
    def text(term: e.Term, prefix: str) -> m.MonitorText:
        return c_text(numbering, term, prefix)

    match question:
        case PathFormula():
            watch = {
                PathKind.EVENTUALLY: m.MonitorWatch.REACH,
                PathKind.GLOBALLY: m.MonitorWatch.GLOBALLY,
                PathKind.UNTIL: m.MonitorWatch.UNTIL,
            }
            before = None if question.keep is None else text(question.keep, "before")
            return m.Monitor(
                watch[question.kind],
                text(question.goal, "goal"),
                before,
                score=None if score is None else text(score, "score"),
            )
        case WatchedTerm():
            return m.aggregate(_MEASURES[question.measure], text(question.term, "value"))
        case CountStates():
            raise NoText("the native machine does not collect states")


class OutOfRoom(ThreadproofError):
    """Some run needs more room than a state can have; leaving it out would falsify the estimate."""


class _Growing(Growing):
    """Statistics need every run."""

    def make(self, batch: Callable[[NativeMachine], native.Batch]) -> native.Batch:
        made = super().make(batch)
        self.require_room(made)
        return made

    def require_room(self, made: native.Batch) -> None:
        if made.count(OutcomeKind.CAPACITY):
            rooms = " and ".join(sorted(made.rooms())).replace("_", " ")
            raise OutOfRoom(f"a run needs more {rooms} than the native machine can have: try --machine reference")


class NativeSampler:
    def __init__(self, program: Program, goal: QueryGoal, seed: int) -> None:
        self._grown = _Growing(machine_for(program, _monitor(Numbering(program), goal.question)))
        self._goal = goal
        self._seed = seed

    @property
    def name(self) -> str:
        return "native"

    @property
    def chunk(self) -> int:
        return max(64, min(65_536, 30_000_000 // (self._goal.steps + 1)))

    def batch(self, first: int, runs: int) -> RunBatch:
        steps = self._goal.steps
        made = self._grown.make(lambda one: one.run_batch(self._seed, first, runs, steps, Uniform()))
        answer = made.verdicts.astype(np.int8)
        ending = _ENDING_OF[made.kinds]
        lost = ending == Ending.UNSUPPORTED
        answer[lost] = RunAnswer.UNDECIDED
        return RunBatch(
            first, answer, ending, made.steps.astype(np.int64), made.values, causes=self._causes(made, lost)
        )

    def _causes(self, made: native.Batch, lost: NDArray[np.bool_]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for pc in np.unique(made.pcs[lost])[:5]:
            _, instr = self._grown.machine.instr(int(pc))
            what = getattr(instr, "construct", type(instr).__name__.lower())
            found[f"unsupported: {what} at {instr.loc}"] = None
        return tuple(found)

    def fits(self) -> bool:
        """Whether the first runs need nothing that only the reference semantics has."""
        made = self._grown.make(lambda one: one.run_batch(self._seed, 0, 64, self._goal.steps, Uniform()))
        return not made.count(OutcomeKind.NOT_NATIVE)


class NativeParticles:
    """States are blocks; a snapshot remembers the run it came from, so that its schedule can be told later."""

    def __init__(self, program: Program, goal: QueryGoal, score: Score, seed: int) -> None:
        if isinstance(score, ScoreObserver):
            raise NoText("the native machine does not run observers")
        formula = require_reachability(goal)
        self._grown = _Growing(machine_for(program, _monitor(Numbering(program), formula, score)))
        self._steps = goal.steps
        self._seed = seed
        self._settle()

    def _settle(self) -> None:
        """Most rooms are found before the first snapshot: one that does not fit any more costs a repetition."""
        self._grown.make(lambda one: one.run_batch(self._seed ^ 0x5EED, 0, 2000, self._steps, Uniform()))

    @property
    def name(self) -> str:
        return "native"

    def initial(self) -> Snapshot:
        return Snapshot(np.frombuffer(self._grown.machine.initial(), np.uint8), 0)

    def fly(self, starts: Sequence[Snapshot], keys: Sequence[int], level: float) -> Flights:
        best, reached, steps = np.zeros(len(starts)), list[Snapshot | None](), 0
        for low, high in _consecutive(keys):
            part = starts[low:high]
            made = self._runs(part, keys[low], level, self._steps - min(one.steps for one in part))
            begun = np.array([one.steps for one in part], np.int64)
            arrived = _arrivals(made, part, keys[low])
            best[low:high] = np.where(_successes(made), GOAL, made.scores)
            steps += int(made.steps.sum())
            for index in _where(begun + made.steps.astype(np.int64) > self._steps):
                key, start = keys[low + index], part[index]  # ran beyond the bound: again, not so far
                shorter = self._runs([start], key, level, self._steps - start.steps)
                best[low + index] = GOAL if _successes(shorter)[0] else shorter.scores[0]
                arrived[index] = _arrivals(shorter, [start], key)[0]
                steps += int(shorter.steps[0]) - int(made.steps[index])
            reached.extend(arrived)
        return Flights(best, steps, reached)

    def _runs(self, starts: Sequence[Snapshot], key: int, level: float, steps: int) -> native.Batch:
        distinct: dict[int, int] = {}
        rows: list[NDArray[np.uint8]] = []
        start_of = np.zeros(len(starts), np.uint32)
        for index, start in enumerate(starts):
            row = distinct.setdefault(id(start), len(rows))
            if row == len(rows):
                rows.append(start.state)
            start_of[index] = row
        options = native.BatchOptions(native.Finals.KEEP, None if level == GOAL else level, np.stack(rows), start_of)
        made = self._grown.machine.run_batch(self._seed, key, len(starts), steps, Uniform(), options=options)
        if made.count(OutcomeKind.CAPACITY) and self._grown.grow(made):
            raise Regrown
        self._grown.require_room(made)
        return made

    def schedule(self, snapshot: Snapshot) -> Schedule:
        if snapshot.past is None:
            return ()
        start, key, done = snapshot.past
        machine = self._grown.machine
        _, made = machine.record(self._seed, key, done, Uniform(), start.state.tobytes())
        return self.schedule(start) + made


def _where(mask: NDArray[np.bool_]) -> list[int]:
    found: list[int] = np.flatnonzero(mask).tolist()
    return found


def _successes(made: native.Batch) -> NDArray[np.bool_]:
    return (made.kinds == OutcomeKind.DECIDED.value) & (made.verdicts == 1)


def _arrivals(made: native.Batch, starts: Sequence[Snapshot], first_key: int) -> list[Snapshot | None]:
    assert made.finals is not None
    found: list[Snapshot | None] = [None] * len(starts)
    for index in _where(_successes(made) | (made.kinds == OutcomeKind.LEVEL.value)):
        start, done = starts[index], int(made.steps[index])
        past = (start, first_key + index, done)
        found[index] = Snapshot(made.finals[index].copy(), start.steps + done, 0, past)
    return found


def _consecutive(keys: Sequence[int]) -> list[tuple[int, int]]:
    """Stretches of keys that follow each other: one native call each."""
    found: list[tuple[int, int]] = []
    low = 0
    for index in range(1, len(keys) + 1):
        if index == len(keys) or keys[index] != keys[index - 1] + 1:
            found.append((low, index))
            low = index
    return found
