"""Runs on the native step machine: whole batches without the interpreter."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

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
from threadproof.core.schedule import Move, Schedule
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.c_text import c_text
from threadproof.engines.smc.language.goal import CountStates, PathFormula, QueryGoal, Question, WatchedTerm
from threadproof.engines.smc.language.score import GOAL, Score, ScoreObserver
from threadproof.engines.smc.language.syntax import Measure, PathKind
from threadproof.engines.smc.sampling.particles import Flights, Flock, Regrown, objects, require_reachability
from threadproof.engines.smc.sampling.sampler import Ending, RunAnswer, RunBatch, RunSums, sums_of
from threadproof.ir.program import Program
from threadproof.semantics.run import Granularity, Spurious

if TYPE_CHECKING:
    from threadproof.codegen.device.choice import Device
    from threadproof.codegen.machine.environment_text import NativeEnvironment

SMALL = 64  # runs of the first batch
FIRST_ON_GPU = 1 << 16
MOST_ON_GPU = 1 << 30
MOST_LOOKED_AT = 1 << 22
"""Runs of which each is looked at: more would need much memory."""
MOST_STATES = 2_000_000
"""Of a batch that are kept, each, until they are counted."""
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
_NEED_MORE = [*(k for k, ending in enumerate(_ENDING_OF) if ending == Ending.UNSUPPORTED)]
"""Outcomes that a sum does not say enough of: what lacked room, what is unsupported."""
_MEASURES = {
    Measure.MAX: m.MonitorAggregate.MAX,
    Measure.MIN: m.MonitorAggregate.MIN,
    Measure.AVG: m.MonitorAggregate.AVERAGE,
}


def machine_for(
    program: Program, monitor: m.Monitor, device: Device | None = None, environment: NativeEnvironment | None = None
) -> NativeMachine:
    return NativeMachine(
        program, Granularity.INSTRUCTION, Spurious.OFF, monitor, device=device, environment=environment
    )


def monitor_for(program: Program, question: Question, score: Score | None = None) -> m.Monitor:
    numbering = Numbering(program)

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
                score=_score_text(score, text),
            )
        case WatchedTerm():
            return m.aggregate(_MEASURES[question.measure], text(question.term, "value"))
        case CountStates():
            return m.Monitor(prints=True)


def _score_text(
    score: Score | None, text: Callable[[e.Term, str], m.MonitorText]
) -> m.MonitorText | m.MonitorObserver | None:
    if not isinstance(score, ScoreObserver):
        return None if score is None else text(score, "score")
    ends = any(stage.accepts for stage in score.stages)
    stages = tuple(
        m.MonitorStage(
            text(stage.score, f"score{number}"),
            tuple((text(edge.when, f"edge{number}_{at}"), edge.to) for at, edge in enumerate(stage.edges)),
            stage.accepts or not ends,
            stage.fails,
        )
        for number, stage in enumerate(score.stages)
    )
    return m.MonitorObserver(stages, score.start)


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
    """With a GPU, that makes the runs; the results are the same."""

    def __init__(
        self,
        program: Program,
        goal: QueryGoal,
        seed: int,
        device: Device | None = None,
        environment: NativeEnvironment | None = None,
    ) -> None:
        self._grown = _Growing(machine_for(program, monitor_for(program, goal.question), device, environment))
        self._goal = goal
        self._seed = seed
        self.place = device
        self._fast = FIRST_ON_GPU  # runs the GPU makes in about a second

    @property
    def name(self) -> str:
        return f"native{'' if self.place is None else self.place.name}"

    @property
    def _on_gpu(self) -> bool:
        return self.place is not None and self.place.gpu is not None

    @property
    def chunk(self) -> int:
        if self._on_gpu:
            return self._fast
        most = MOST_STATES if isinstance(self._goal.question, CountStates) else 30_000_000
        return max(64, min(65_536, most // (self._goal.steps + 1)))

    @property
    def least(self) -> int:
        return FIRST_ON_GPU if self._on_gpu else SMALL

    def sums(self, first: int, runs: int) -> RunSums:
        started = time.monotonic()
        made = self._grown.machine.sum_batch(self._seed, first, runs, self._goal.steps)
        if made is None or made.counts[:, _NEED_MORE].any():
            return self._sums_of_each(first, runs)
        self._learn(runs, time.monotonic() - started, MOST_ON_GPU)
        endings = np.zeros(len(Ending), np.int64)
        np.add.at(endings, _ENDING_OF, made.counts.sum(axis=0))
        return RunSums(first, runs, int(made.counts[1].sum()), 0, made.steps, endings)

    def _sums_of_each(self, first: int, runs: int) -> RunSums:
        """Slower, but it knows each run."""
        found = sums_of(self.batch(first, min(runs, MOST_LOOKED_AT)))
        for begin in range(first + MOST_LOOKED_AT, first + runs, MOST_LOOKED_AT):
            found = found.and_then(sums_of(self.batch(begin, min(MOST_LOOKED_AT, first + runs - begin))))
        return found

    def _learn(self, runs: int, seconds: float, most: int) -> None:
        self._fast = max(SMALL, min(most, 4 * self._fast, int(runs / max(seconds, 1e-3))))

    def batch(self, first: int, runs: int) -> RunBatch:
        steps = self._goal.steps
        started = time.monotonic()
        made = self._grown.make(lambda one: one.run_batch(self._seed, first, runs, steps, Uniform()))
        self._learn(runs, time.monotonic() - started, MOST_LOOKED_AT)
        answer = made.verdicts.astype(np.int8)
        ending = _ENDING_OF[made.kinds]
        lost = ending == Ending.UNSUPPORTED
        answer[lost] = RunAnswer.UNDECIDED
        return RunBatch(
            first,
            answer,
            ending,
            made.steps.astype(np.int64),
            made.values,
            *([] if made.prints is None else [made.prints]),
            causes=self._causes(made, lost),
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
    """States are blocks. The past of one is where the run before it was left: its own past, its key, its steps."""

    def __init__(
        self,
        program: Program,
        goal: QueryGoal,
        score: Score,
        seed: int,
        device: Device | None = None,
        environment: NativeEnvironment | None = None,
    ) -> None:
        formula = require_reachability(goal)
        self._grown = _Growing(machine_for(program, monitor_for(program, formula, score), device, environment))
        self.place = device
        self._steps = goal.steps
        self._seed = seed
        self._start = score.start if isinstance(score, ScoreObserver) else 0
        self._settle()

    def _settle(self) -> None:
        """Most rooms are found before the first snapshot: one that does not fit any more costs a repetition."""
        self._grown.make(lambda one: one.run_batch(self._seed ^ 0x5EED, 0, 2000, self._steps, Uniform()))

    @property
    def name(self) -> str:
        return f"native{'' if self.place is None else self.place.name}"

    def initial(self) -> Flock:
        state = np.frombuffer(self._grown.machine.initial(), np.uint8)
        return Flock(state.reshape(1, -1), np.zeros(1, np.int64), np.array([self._start], np.uint32), objects([None]))

    def fly(self, starts: Flock, keys: NDArray[np.uint64], level: float) -> Flights:
        made = [self._stretch(starts.take(part), keys[part], level) for part in _consecutive(keys)]
        if len(made) == 1:
            return made[0]
        firsts = np.cumsum([0, *(len(one.best) for one in made)])
        return Flights(
            np.concatenate([one.best for one in made]),
            sum(one.steps for one in made),
            np.concatenate([first + one.at for first, one in zip(firsts, made, strict=False)]),
            _joined([one.reached for one in made]),
            sum(one.undecided for one in made),
        )

    def _stretch(self, starts: Flock, keys: NDArray[np.uint64], level: float) -> Flights:
        """Runs whose keys follow each other: one native call."""
        made = self._runs(starts, int(keys[0]), level)
        done = made.steps.astype(np.int64)
        late = starts.steps + done > self._steps  # ran beyond the bound: again, not so far
        success = (made.kinds == OutcomeKind.DECIDED.value) & (made.verdicts == 1)
        arrived = success | (made.kinds == OutcomeKind.LEVEL.value)
        at = np.flatnonzero(arrived & ~late)
        lost = (_ENDING_OF[made.kinds] == Ending.UNSUPPORTED) & ~arrived & ~late
        flights = Flights(
            np.where(success, GOAL, made.scores),
            int(done[~late].sum()),
            at,
            _arrivals(made, starts, keys, at),
            int(lost.sum()),
        )
        for index in np.flatnonzero(late):
            flights = _with(flights, index, self._stretch(starts.take([index]), keys[[index]], level))
        return flights

    def _runs(self, starts: Flock, key: int, level: float) -> native.Batch:
        """As far as the one that has gone least may go."""
        steps = self._steps - int(starts.steps.min())
        wanted = None if level == GOAL else level
        options = native.BatchOptions(
            native.Finals.KEEP, wanted, starts.states, np.arange(len(starts), dtype=np.uint32), starts.stages
        )
        made = self._grown.machine.run_batch(self._seed, key, len(starts), steps, Uniform(), options=options)
        if made.count(OutcomeKind.CAPACITY) and self._grown.grow(made):
            raise Regrown
        self._grown.require_room(made)
        return made

    def schedule(self, past: Any) -> Schedule:
        """By making the runs again that led there: a run is a function of its start and its key."""
        legs: list[tuple[int, int]] = []
        while past is not None:
            past, key, done = past
            legs.append((key, done))
        machine, moves = self._grown.machine, list[Move]()
        state, stage = machine.initial(), self._start
        for key, done in reversed(legs):
            made, further = machine.record(self._seed, key, done, Uniform(), state, stage=stage)
            assert made.finals is not None
            assert made.stages is not None
            state, stage = made.finals[0].tobytes(), int(made.stages[0])
            moves.extend(further)
        return tuple(moves)


def _arrivals(made: native.Batch, starts: Flock, keys: NDArray[np.uint64], at: NDArray[np.intp]) -> Flock:
    assert made.finals is not None
    assert made.stages is not None
    done = made.steps[at].astype(np.int64)
    pasts = [*zip(starts.pasts[at], keys[at].tolist(), done.tolist(), strict=True)]
    return Flock(made.finals[at], starts.steps[at] + done, made.stages[at], objects(pasts))


def _joined(flocks: Sequence[Flock]) -> Flock:
    return Flock(
        np.concatenate([one.states for one in flocks]),
        np.concatenate([one.steps for one in flocks]),
        np.concatenate([one.stages for one in flocks]),
        np.concatenate([one.pasts for one in flocks]),
    )


def _with(flights: Flights, index: np.intp, one: Flights) -> Flights:
    """What a single run came to, in its place."""
    flights.best[index] = one.best[0]
    at = np.concatenate([flights.at, one.at + index])
    order = np.argsort(at)
    reached = _joined([flights.reached, one.reached]).take(order)
    return Flights(flights.best, flights.steps + one.steps, at[order], reached, flights.undecided + one.undecided)


def _consecutive(keys: NDArray[np.uint64]) -> list[slice]:
    """Stretches of keys that follow each other."""
    breaks = np.flatnonzero(np.diff(keys) != 1) + 1
    ends: list[int] = [*breaks.tolist(), len(keys)]
    return [slice(low, high) for low, high in zip([0, *ends], ends, strict=False)]
