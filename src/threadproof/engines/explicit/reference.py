"""The search over the reference semantics: every reachable state once, fewest preemptions first.

It answers for programs of a few thousand states, for what the native machine has no meaning for, and is what the
native search is compared with.

States wait in buckets by the number of preemptions on the way to them, so shallow bugs come early and
counterexamples have few context switches; within a bucket the search is depth-first.

Reduction: a thread whose next step concerns nobody else (`Pending.LOCAL`) is moved alone. Proviso against postponing
the others for ever: if one of its successors was seen before, all threads are moved. So they are now and then
anyway, because a thread that computes for ever in private would keep the search from looking at the others.

Invariants: `true` is answered only if the table is complete (`cut` is empty): every choice enumerated, nothing
unsupported or undefined met, no limit hit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import number as number_of
from threadproof.engines.explicit.table import StateTable
from threadproof.engines.task import Task
from threadproof.semantics.choices import every_step
from threadproof.semantics.domains import program_constants
from threadproof.semantics.leaks import bad_end, lost_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    Access,
    Answered,
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Pending, State, live_threads
from threadproof.semantics.violations import accesses, first_race, of_outcome, spurious_for, why_cut

POLL = 64  # states between two looks at the clock
PATIENCE = 100  # states after which a thread that moves alone no longer does


@dataclass(slots=True)
class SearchNode:
    """How a state was reached first."""

    parent: int
    move: Move | None


class WaitingState(NamedTuple):
    """A state to be expanded: who moved last, and for how many states one thread has moved alone."""

    number: int
    state: State
    last: int
    alone: int


@dataclass(slots=True)
class Expansion:
    """What the steps of one state came to."""

    successors: list[tuple[Move, State, bytes]] = field(default_factory=list[tuple[Move, State, bytes]])
    footprints: dict[int, list[Access]] = field(default_factory=dict[int, list[Access]])
    blocked: int = 0
    moved: int = 0
    bad: Move | None = None


class ReferenceSearch:
    def __init__(self, task: Task, budget: Budget, observer: Observer) -> None:
        self._task = task
        self._budget = budget
        self._observer = observer
        self._machine = Machine(task.program, Granularity.VISIBLE, spurious_for(task.property, task.program))
        self._constants = program_constants(task.program)
        self._table = StateTable()
        self._nodes: list[SearchNode] = []
        self._buckets: list[list[WaitingState]] = [[]]
        self._steps = 0
        self._ends = 0
        self.cut: dict[str, None] = {}  # why `true` cannot be said, in the order met
        self._met: Schedule | None = None  # the way to the first undefined behaviour

    def run(self, patience: Budget | None = None) -> Result | None:
        """None when patience is at its end before the search is."""
        initial = self._machine.initial()
        self._add(initial, self._table.key(initial), SearchNode(-1, None), 0, -1, 0)
        level, popped = 0, 0
        while level < len(self._buckets):
            if not self._buckets[level]:
                level += 1
                continue
            waiting = self._buckets[level].pop()
            popped += 1
            if patience is not None and patience.left() <= 0:
                return None
            if popped % POLL == 0 and (limit := self._look_at_the_clock()):
                return Unknown(limit, self._stats(), self._met)
            schedule = self._expand(waiting, level)
            if schedule is not None:
                return Unsafe(schedule, self._stats())
        return self._exhausted()

    def _look_at_the_clock(self) -> str | None:
        waiting = sum(len(bucket) for bucket in self._buckets)
        self._observer.progress("exploring", states=len(self._table), waiting=waiting)
        limit = self._budget.exhausted()
        if limit is None:
            return None
        return f"{limit}: {len(self._table):,} states explored, {waiting:,} waiting"

    def _exhausted(self) -> Result:
        if self.cut:
            return Unknown(next(iter(self.cut)), self._stats(), self._met)
        figures = {"states": len(self._table), "steps": self._steps}
        return Safe(CompleteExploration(Covered.STATES, figures), self._stats())

    def _stats(self) -> Stats:
        return {"states": len(self._table), "steps": self._steps, "executions_ended": self._ends}

    # --- one state ---------------------------------------------------------------------------------------------------

    def _expand(self, waiting: WaitingState, level: int) -> Schedule | None:
        """Move the threads of a state; a schedule if that shows a violation."""
        number, state = waiting.number, waiting.state
        threads = live_threads(state)
        local = next((t for t in threads if state.threads[t].pending is not Pending.VISIBLE), None)
        if local is not None and state.atomic is None:
            done = self._moves(waiting, [local])
            if done.bad is not None:
                return self._schedule(number, done.bad)
            if done.moved and waiting.alone < PATIENCE and not self._leads_back(done):
                return self._continue(waiting, done, level, waiting.alone + 1)
            rest = [t for t in threads if t != local]
        else:
            done, rest = Expansion(), threads
        more = self._moves(waiting, rest, done)
        if more.bad is not None:
            return self._schedule(number, more.bad)
        if self._violated_by_state(threads, more):
            return self._schedule(number, None)
        return self._continue(waiting, more, level, 0)

    def _leads_back(self, done: Expansion) -> bool:
        """The proviso: a successor was seen before (asked before they are entered into the table)."""
        return any(key in self._table for _, _, key in done.successors)

    def _violated_by_state(self, threads: list[int], done: Expansion) -> bool:
        match self._task.property:
            case Property.NO_DATA_RACE:
                return first_race(done.footprints) is not None
            case Property.NO_DEADLOCK:
                return bool(threads) and done.blocked == len(threads)
            case _:
                return False

    def _continue(self, waiting: WaitingState, done: Expansion, level: int, alone: int) -> Schedule | None:
        last = waiting.last
        still_enabled = last in done.footprints
        for move, successor, key in reversed(done.successors):
            mover = number_of(move.thread)
            preempts = last >= 0 and mover != last and still_enabled
            bad = self._add(successor, key, SearchNode(waiting.number, move), level + int(preempts), mover, alone)
            if bad is not None:
                return bad
        return None

    def _add(self, state: State, key: bytes, node: SearchNode, level: int, last: int, alone: int) -> Schedule | None:
        number, new = self._table.add(key)
        if not new:
            return None
        self._nodes.append(node)
        if self._task.property is Property.VALID_MEMSAFETY and lost_block(self._machine, state) is not None:
            return self._schedule(number, None)
        while len(self._buckets) <= level:
            self._buckets.append([])
        self._buckets[level].append(WaitingState(number, state, last, alone))
        return None

    def _schedule(self, number: int, last: Move | None) -> Schedule:
        moves = [] if last is None else [last]
        while self._nodes[number].move is not None:
            node = self._nodes[number]
            assert node.move is not None
            moves.append(node.move)
            number = node.parent
        return tuple(reversed(moves))

    # --- steps --------------------------------------------------------------------------------------------------

    def _moves(self, waiting: WaitingState, threads: list[int], done: Expansion | None = None) -> Expansion:
        done = done or Expansion()
        for number in threads:
            for move, outcome in every_step(self._machine, waiting.state, number, self._constants, self._leaves_out):
                self._steps += 1
                if isinstance(outcome, UndefinedBehaviour) and self._met is None:
                    self._met = self._schedule(waiting.number, move)
                if self._judge(done, number, move, outcome):
                    done.bad = move
                    return done
        return done

    def _leaves_out(self, choice: Choose) -> None:
        self._cut(why_cut(choice))

    def _judge(self, done: Expansion, number: int, move: Move, outcome: Answered) -> bool:
        """Enter the outcome; True if it is a violation."""
        prop = self._task.property
        if of_outcome(prop, outcome) is not None:
            return True
        if bad_end(self._machine, prop, outcome) is not None:
            return True
        match outcome:
            case Blocked():
                done.blocked += 1
                return False
            case Moved():
                done.successors.append((move, outcome.state, self._table.key(outcome.state)))
            case Finished():
                self._ends += 1
            case UndefinedBehaviour() | NotSupported():
                self._cut(why_cut(outcome))
            case Failed() | AssumptionFailed() | Stuck():
                self._ends += 1
        done.moved += 1
        done.footprints.setdefault(number, []).extend(accesses(outcome.effects))
        return False

    def _cut(self, reason: str) -> None:
        self.cut[reason] = None


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    result = ReferenceSearch(task, budget, observer).run()
    assert result is not None
    return result
