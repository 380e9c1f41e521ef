"""Locations and letters: where a thread can stand, and what it does in one go on the way to the next location.

Paper: M. Heizmann, J. Hoenicke, A. Podelski, Refinement of Trace Abstraction, SAS 2009: a program is an automaton
whose letters are statements. A. Farzan, D. Klumpp, A. Podelski, PLDI 2022: letters of threads, and when they commute.
R. J. Lipton, Reduction: a method of proving properties of parallel programs, CACM 1975: what belongs together.
Differs: a letter is a whole path of instructions: right movers, at most one that is none, left movers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from typing import NamedTuple

from threadproof.analysis.footprints.dependence import Region
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, GlobalRef, negate, true
from threadproof.ir.instr import Assume, Branch, Call, Error, Halt, Instr, Load, Switch, Sync, Undefined, Unsupported
from threadproof.sync.facts import Act, does, sync_facts
from threadproof.sync.footprint import Mode

Context = tuple[Site, ...]
"""A call string: the calls that a thread is in, outermost first. Registers belong to a context."""


class End(Enum):
    """Locations behind which there is nothing."""

    FINISHED = "finished"  # the thread has ended
    HALTED = "halted"  # the program has ended: main returned, exit, abort
    ERROR = "error"
    UNDEFINED = "undefined behaviour"
    UNSUPPORTED = "unsupported"
    EXHAUSTED = "no more instances"  # a fork found no thread instance that it could start


class LetterPhase(Enum):
    RUNNING = "running"
    ENDING = "ending"  # the start routine is over, destructors of thread-specific data run


@dataclass(frozen=True, slots=True)
class Location:
    """Before an instruction, in a calling context; or an end. Named by its number within its thread template."""

    template: str
    number: int
    at: Site | End = field(compare=False)
    context: Context = field(default=(), compare=False)
    depth: int = field(default=0, compare=False)  # of atomic blocks; above 0, letters of others have to wait
    phase: LetterPhase = field(default=LetterPhase.RUNNING, compare=False)

    def __str__(self) -> str:
        return f"L{self.number}"


class StepMover(Enum):
    """How an instruction can change places with what other threads do right before or after it (Lipton 1975)."""

    BOTH = "both"  # whatever others do meanwhile: it is nobody else's business
    RIGHT = "right"  # it may as well happen after what another thread does next
    LEFT = "left"  # it may as well happen before what another thread has just done
    NONE = "none"


class Step(NamedTuple):
    """One instruction of a letter, and how control goes on behind it."""

    context: Context
    site: Site
    instr: Instr
    taken: int | None = None  # of a branch or switch: the number of the edge in `ir.instr.edges`
    enters: str = ""  # the function that is called, or started in a new thread, or runs as a destructor
    cancelled: bool = False  # the thread was cancelled, and ends here instead
    mover: StepMover = StepMover.BOTH
    joined: str = ""  # of a join: the template whose only thread it waits for, if that is certain

    @property
    def condition(self) -> Expr | None:
        """What must hold of the registers of its context for control to go this way; None: it always does, or what
        decides is no register (whether an operation can proceed, whether there is a destructor to run)."""
        match self.instr:
            case Assume():
                return self.instr.condition
            case Branch():
                return self.instr.condition if self.taken == 0 else negate(self.instr.condition)
            case Switch():
                return _case(self.instr, self.taken or 0)
            case Call(callee=pointer) if self.enters and not isinstance(pointer, str):
                return Compare(CompareOp.EQ, pointer, GlobalRef(self.enters, pointer.width))
            case Sync(args=args) if self.enters and is_fork(self.instr):
                return Compare(CompareOp.EQ, args[1], GlobalRef(self.enters, args[1].width))
            case _:
                return None


class Kind(Enum):
    PLAIN = "plain"
    FORK = "fork"
    JOIN = "join"
    ERROR = "error"  # leads to the error location
    ATOMIC = "atomic"  # a path through an atomic block, or a part of one that has loops


@dataclass(frozen=True, slots=True)
class Letter:
    """A path of instructions from location to location.

    Step number `visible` is the first that is no right mover: all before it may as well happen right before it, all
    behind it right after it. In an atomic block there may be several that are no movers; `visible` is then their first.
    The guard of a letter is that every branch goes as its step says, every assumption holds and every operation can
    proceed: a letter that has to wait is there all the same. Nothing can wait or end the run behind what others may see
    a change of, so what others saw is not taken back by a guard.
    """

    id: int
    template: str = field(compare=False)
    source: Location = field(compare=False)
    target: Location = field(compare=False)
    steps: tuple[Step, ...] = field(compare=False)
    kind: Kind = field(compare=False)
    visible: int | None = field(compare=False)
    touches: frozenset[Region] = field(compare=False, repr=False)

    @property
    def instrs(self) -> tuple[Instr, ...]:
        return tuple(step.instr for step in self.steps)

    @property
    def origin(self) -> tuple[Site, ...]:
        """The instructions of the normal form, in the order in which a schedule makes them."""
        return tuple(step.site for step in self.steps)

    @property
    def noticed(self) -> int | None:
        """The last step that others can notice at all."""
        found = [number for number, step in enumerate(self.steps) if step.mover is not StepMover.BOTH]
        return found[-1] if found else None

    @property
    def reads(self) -> frozenset[Region]:
        return frozenset(region for region in self.touches if region.mode is Mode.READ)

    @property
    def writes(self) -> frozenset[Region]:
        """All that is more than reading, additions and the like included."""
        return frozenset(region for region in self.touches if region.mode is not Mode.READ)

    @property
    def forks(self) -> tuple[str, ...]:
        """The templates of the threads it starts."""
        return tuple(step.enters for step in self.steps if step.enters and is_fork(step.instr))

    @property
    def may_wait(self) -> bool:
        """Whether its guard asks for something that another thread may have to do first."""
        return any(isinstance(instr, Sync) and sync_facts(instr).may_block for instr in self.instrs)

    @property
    def joins(self) -> bool:
        return any(is_join(instr) for instr in self.instrs)


def _case(switch: Switch, taken: int) -> Expr:
    values = [Const(value, switch.value.width) for value, _ in switch.cases]
    if taken < len(values):
        return Compare(CompareOp.EQ, switch.value, values[taken])
    apart = (Compare(CompareOp.NE, switch.value, value) for value in values)
    return reduce(lambda left, right: Binary(BinaryOp.AND, left, right), apart, true())


def changes(instr: Instr) -> bool:
    """Whether others may see something else after it. Ends stop their own thread only (`program`)."""
    return not (isinstance(instr, Load | Error | Halt | Undefined | Unsupported) or does(instr, Act.BEGIN, Act.END))


def is_fork(instr: Instr) -> bool:
    return does(instr, Act.CREATE)


def is_join(instr: Instr) -> bool:
    return does(instr, Act.JOIN)
