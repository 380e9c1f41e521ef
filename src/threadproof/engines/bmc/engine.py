"""Engine `bmc`: unwind, ask, unwind further.

At each bound: can a violation happen? Then its execution is led through the reference semantics and becomes a
schedule. If not: can anything happen that the bound, or we, left out? If nothing can, the bound was enough and the
answer is `true`. Else the loops that were cut short are unwound further.

Paper: J. Alglave, D. Kroening, M. Tautschnig, Partial Orders for Efficient Bounded Model Checking of Concurrent
Software, CAV 2013. Differs: docs/algorithms/bmc.md.
Invariants: `Safe` only if no end of a path but the program's own is reachable at this bound.
"""

from __future__ import annotations

import time
from dataclasses import replace

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.proofs import CompleteUnwinding
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.core.schedule import Schedule
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.asking import Asking, OutOfBudget, SolvingEffort
from threadproof.engines.bmc.leaks import Holds, losses
from threadproof.engines.bmc.questions import Question, questions
from threadproof.engines.bmc.unwinding.events import Limit, PathEnd, Why
from threadproof.engines.bmc.unwinding.unwinding import Unwinding
from threadproof.engines.bmc.unwinding.world import Bounds, Ends, Unwound
from threadproof.engines.bmc.witness import Witness, WitnessEnd
from threadproof.engines.task import Task
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import Spurious
from threadproof.semantics.leaks import allocates
from threadproof.semantics.violations import forbidden
from threadproof.smt.term import Term
from threadproof.sync.facts import WAITS_FOR_SIGNAL

MAX_SIZE = 1024
ENDS = {Property.VALID_MEMSAFETY: Ends.POINTERS, Property.NO_DEADLOCK: Ends.WAITS}
KNOWN = 24
"""Iterations of loops whose end is known beforehand, at first."""
ONE_BY_ONE = 4
"""Deepenings that unwind only loops that the model cuts short; then all that are cut."""
WEAK = (Property.UNREACH_CALL, Property.NO_OVERFLOW)
"""What can be asked under TSO and PSO. A program without races under SC behaves there as under SC."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    return _Search(task, budget, observer).run()


def formulas(task: Task, budget: Budget, observer: Observer) -> tuple[str, ...]:
    """What `true` rests on, as SMT-LIB: formulas of the last bound, none of which has a model. None at all, if `true`
    is not found again."""
    search = _Search(task, budget, observer)
    kept = search.keep_formulas()
    return tuple(kept) if isinstance(search.run(), Safe) else ()


class _Search:
    def __init__(self, task: Task, budget: Budget, observer: Observer) -> None:
        self._task = task
        self._budget = budget
        self._observer = observer
        self._effort = SolvingEffort()
        self._safe_up_to = 0
        self._deepenings = 0
        self._met: Schedule | None = None  # the way to undefined behaviour
        self._reason = ""  # why `true` cannot be said any more, whatever the bound

    def keep_formulas(self) -> list[str]:
        """Where they will be."""
        self._effort.formulas = []
        return self._effort.formulas

    def run(self) -> Result:
        if self._task.memory_model is not MemoryModel.SC and self._task.property not in WEAK:
            return Unknown(f"{self._task.property} is looked at under sequential consistency only")
        if self._task.property is Property.VALID_MEMCLEANUP and allocates(self._task.program):
            return Unknown(f"{self._task.property} of programs that allocate is not asked")
        if self._task.property is Property.NO_DEADLOCK and self._task.program.spurious is Spurious.ON:
            return Unknown("deadlocks are looked for without spurious wake-ups only")
        try:
            return self._deepen()
        except OutOfBudget as limit:
            return self._unknown(str(limit))
        except (CannotEncode, OutOfAddresses) as why:
            return self._unknown(str(why))

    def _unknown(self, reason: str) -> Unknown:
        if self._safe_up_to and reason:
            reason = f"{reason} (safe up to {self._safe_up_to} iterations)"
        return Unknown(reason or self._reason, self._stats(), self._met)

    def _stats(self) -> Stats:
        effort = self._effort
        return {
            "bound": self._safe_up_to,
            "encoding_s": round(effort.encoding_s, 3),
            "solving_s": round(effort.solving_s, 3),
            "queries": effort.queries,
            "cuts": effort.cuts,
            **effort.figures,
        }

    # --- deepening ---

    def _deepen(self) -> Result:
        fixed = self._task.number("unwind")
        ends = ENDS.get(self._task.property, Ends.NOTHING)
        bounds = Bounds(1 if fixed is None else fixed, KNOWN if fixed is None else max(KNOWN, fixed), ends=ends)
        unwinding = Unwinding.of(self._task.program, self._task.memory_model)
        while True:
            self._observer.progress("unwinding", bound=float(bounds.default))
            if self._effort.formulas is not None:
                self._effort.formulas.clear()  # of the bound before
            world = self._unwound(unwinding, bounds)
            asking = Asking(world, self._budget, self._effort)
            found = self._violation(world, asking)
            if found is not None:
                return found
            found = self._loss(world, asking)
            if found is not None:
                return found
            self._safe_up_to = max(bounds.default, *bounds.loops.values(), 0)
            open_ends = self._open_ends(world, asking)
            if open_ends is None:
                return Safe(self._proof(world), self._stats())
            if fixed is not None or not open_ends:
                return self._unknown(self._reason or f"safe up to {self._safe_up_to} iterations")
            further = _further(bounds, open_ends)
            if further == bounds:
                return self._unknown(self._reason or "blocks of any size")
            bounds = further

    def _unwound(self, unwinding: Unwinding, bounds: Bounds) -> Unwound:
        start = time.perf_counter()
        world = unwinding.settled(bounds, self._budget)
        self._effort.encoding_s += time.perf_counter() - start
        self._effort.figures["events"] = sum(len(thread.events) for thread in world.threads.values())
        return world

    def _proof(self, world: Unwound) -> CompleteUnwinding:
        events = sum(len(thread.events) for thread in world.threads.values())
        return CompleteUnwinding(len(world.threads), events, self._safe_up_to, str(self._task.memory_model))

    # --- violations ---

    def _violation(self, world: Unwound, asking: Asking) -> Unsafe | Unknown | None:
        found = questions(asking.formula, self._task.property)
        if not found:
            return None
        self._observer.progress("asking for a violation", events=float(self._effort.figures["events"]))
        return self._witness(world, asking, found)

    def _witness(self, world: Unwound, asking: Asking, found: list[Question]) -> Unsafe | Unknown | None:
        answer = asking.execution(world.terms.any(question.term for question in found))
        if answer is None:
            return None
        witness = Witness(self._task.program, self._task.property, world, answer)
        for question in found:
            if answer.model.holds(question.term):
                schedule = witness.schedule(question)
                if schedule is not None:
                    return Unsafe(schedule, self._stats())
        return Unknown(self._not_replayed(witness.reason), self._stats())

    def _not_replayed(self, reason: str) -> str:
        if self._task.program.spurious is Spurious.OFF and reason.startswith(WAITS_FOR_SIGNAL):
            return "a violation in which a wait ends by itself; the formula cannot do without"
        return f"a violation that does not replay: {reason}"

    def _loss(self, world: Unwound, asking: Asking) -> Unsafe | Unknown | None:
        """Lost memory, unless one of two arguments shows that there is none."""
        if not world.heap or self._task.property is not Property.VALID_MEMSAFETY:
            return None
        if world.may_wait:
            self._reason = self._reason or "memory may be lost where threads wait for ever, or end after main"
        for holds in Holds:
            found = losses(world, holds)
            if asking.possible(world.terms.any(term for term, _ in found)) is None:
                return None
        questions = [Question(term, stop=stop) for term, stop in losses(world, Holds.OLDER)]
        result = self._witness(world, asking, questions)
        if isinstance(result, Unknown):
            self._reason = self._reason or "memory may be lost"
            return None
        return result

    # --- what was left out ---

    def _open_ends(self, world: Unwound, asking: Asking) -> list[Limit] | None:
        """The bounds that some execution reaches, to be raised. An empty list: no bound is reached, but something else
        forbids `true` (`self._reason` says what). None: nothing forbids it, the proof is complete."""
        prop = self._task.property
        told = [end for end in world.ends if not isinstance(end.what, ErrorKind) and end.what not in forbidden(prop)]
        others = [end for end in told if not isinstance(end.what, Limit)]
        limits = [end for end in told if isinstance(end.what, Limit)]
        if others and not self._reason:
            answer = asking.execution(_any(world, others))
            if answer is not None:
                end = next(end for end in others if answer.model.holds(_any(world, [end])))
                self._reason = _why(end)
                if isinstance(end.what, UndefinedKind):
                    witness = Witness(self._task.program, prop, world, answer)
                    self._met = witness.schedule(Question(_any(world, [end]), end), WitnessEnd.UNDEFINED)
        if not limits:
            return [] if self._reason else self._reuse(world)
        model = asking.possible(_any(world, limits))
        if model is None:
            return [] if self._reason else self._reuse(world)
        self._deepenings += 1
        reached = [end.what for end in limits if isinstance(end.what, Limit) and model.holds(_any(world, [end]))]
        every = [end.what for end in limits if isinstance(end.what, Limit)]
        return reached if self._deepenings <= ONE_BY_ONE else every

    def _reuse(self, world: Unwound) -> list[Limit] | None:
        """The unwound program gives no address out twice, but a real `malloc` may return a freed block. Only a program
        that compares addresses can tell the difference; for such a one nothing is proved."""
        if world.compares_freed():
            self._reason = "addresses of freed blocks are compared"
            return []
        return None


def _any(world: Unwound, ends: list[PathEnd]) -> Term:
    return world.terms.any(world.terms.all(end.guard) for end in ends)


def _why(end: PathEnd) -> str:
    match end.what:
        case NotEncoded():
            return f"unsupported: {end.what.reason} at {end.instr.loc}"
        case Limit():
            return "limit"
        case _:
            return f"undefined behaviour: {end.what.value} at {end.instr.loc}"


def _further(bounds: Bounds, limits: list[Limit]) -> Bounds:
    """Loops that were cut short are unwound further, others stay. More threads run when no loop is cut short: errors
    behind very many creations need few of them."""
    loops = dict(bounds.loops)
    cut = any(limit.why is Why.LOOP for limit in limits)
    recursion, threads, known, size = bounds.recursion, bounds.threads, bounds.known, bounds.size
    for limit in limits:
        match limit.why:
            case Why.LOOP:
                old = bounds.of(limit.place)
                loops[limit.place] = max(loops.get(limit.place, 0), 2 * old, 1)
                known = bounds.known * 2
            case Why.RECURSION:
                recursion = bounds.recursion + 1
            case Why.THREADS:
                threads = bounds.threads if cut else bounds.threads * 2
            case Why.SIZE:
                size = min(bounds.size * 2, MAX_SIZE)
    return replace(bounds, loops=loops, recursion=recursion, threads=threads, known=known, size=size)
