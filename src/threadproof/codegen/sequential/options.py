"""How a program is sequentialized: reductions that may be combined, bounds, self-checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.codegen.sequential.refusal import Refused


class Reduction(Enum):
    """Where threads may change. Each contains the one before."""

    NONE = "none"  # before every instruction
    LOCAL = "local"  # only before what another thread could notice
    CONFLICT = "conflict"  # only before what meets something that another thread may still do
    FULL = "full"  # and a thread whose next step meets nothing goes first; values nobody reads are forgotten


class Staying(Enum):
    """How a thread goes on without a change of threads."""

    GOTO = "goto"  # inside its own switch
    ASSUME = "assume"  # MPOR's way: the loop's head assumes that the same thread is chosen


class SelfChecks(Enum):
    """Assertions about the generated program itself."""

    OFF = "off"
    ON = "on"


class Choices(Enum):
    """Who makes the choices."""

    OPEN = "open"  # the verifier: functions without a body
    RANDOM = "random"  # a generator in the text, so that the program can be run


@dataclass(frozen=True, slots=True)
class Options:
    reduction: Reduction = Reduction.FULL
    staying: Staying = Staying.GOTO
    threads: int = 3  # threads that one creation in a loop may make
    depth: int = 8  # calls of one recursive function at a time
    rounds: int | None = None  # of threads in their order, as in Lazy-CSeq
    checks: SelfChecks = SelfChecks.OFF
    choices: Choices = Choices.OPEN

    def __post_init__(self) -> None:
        if self.rounds is not None and self.reduction in (Reduction.CONFLICT, Reduction.FULL):
            raise Refused(
                f"--rounds with --reduction {self.reduction.value}: the order that the reduction keeps may need more "
                "rounds than the one it leaves out; use none or local"
            )
        if self.staying is Staying.ASSUME and self.reduction is not Reduction.LOCAL:
            raise Refused("--stay assume is a way to do --reduction local, and only that")
        if self.rounds is not None and self.staying is Staying.ASSUME:
            raise Refused("--stay assume with --rounds: in a round nobody asks which thread is next")
        if self.rounds is not None and self.choices is Choices.RANDOM:
            raise Refused("--random with --rounds: a run tries again what cannot move, and rounds would count that")
        if min(self.threads, self.depth, self.rounds or 1) < 1:
            raise Refused("bounds begin with 1")
