"""What can be chosen: domain, precision, search, refinement, reduction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.abstraction.sources import SourceName


class AbstractDomain(Enum):
    EXPL = "expl"  # values of tracked variables
    PRED_CART = "pred-cart"  # conjunctions of predicates
    PRED_BOOL = "pred-bool"  # the same, split by all that can hold together
    PROD = "prod"  # values and conjunctions of predicates


class PrecisionScope(Enum):
    GLOBAL = "global"  # a predicate is tracked everywhere
    LOCAL = "local"  # only where the threads stand as on the path that it comes from


class SearchOrder(Enum):
    ERR = "err"  # nearest to an error first
    BFS = "bfs"
    DFS = "dfs"


class ArgPor(Enum):
    NONE = "none"
    STATIC = "static"  # sleep sets and persistent sets
    DYNAMIC = "dynamic"  # sleep sets alone, by what letters do in the state: nobody looks ahead
    AA = "aa"  # the same of letters that know the variables of the precision only
    AA_POINTERS = "aa-pointers"  # and letters sleep by what pointers point to in the state

    @property
    def forgets(self) -> bool:
        return self in (ArgPor.AA, ArgPor.AA_POINTERS)

    @property
    def looks_ahead(self) -> bool:
        """At what threads may still do."""
        return self not in (ArgPor.NONE, ArgPor.DYNAMIC)

    @property
    def asks_states(self) -> bool:
        """Whether two letters swap where variables have these values."""
        return self in (ArgPor.DYNAMIC, ArgPor.AA_POINTERS)


class ThreadOrder(Enum):
    """Which threads are preferred: of words of letters that differ by swaps, one is kept. Lockstep keeps short what has
    to be said about loops that go round equally often."""

    PERSISTENT = "persistent"  # those of a persistent set, then by number
    LOCKSTEP = "lockstep"  # each until it comes to a loop head
    ROUND_ROBIN = "round-robin"  # each for a letter


class Pruning(Enum):
    """What goes of the graph when predicates are added."""

    LAZY = "lazy"  # what lies behind the first node that lacked one
    FULL = "full"  # everything


class PointerTracking(Enum):
    """Of pointers, as tracked variables."""

    OFF = "off"  # never
    NEEDED = "needed"  # where a core has them
    ALWAYS = "always"


class InitialPrecision(Enum):
    """What the precision begins with."""

    EMPTY = "empty"
    CHECKS = "checks"  # the conditions of errors, as predicates


class RefinementStrategy(Enum):
    """Where predicates come from; the others are asked where it has none."""

    SP = "newton-sp"
    WP = "newton-wp"
    SEQ_ITP = "seq-itp"
    BW_BIN_ITP = "bw-bin-itp"
    MINED = "mined"


SOURCES = {
    RefinementStrategy.SP: (SourceName.SP, SourceName.WP, SourceName.INTEGERS, SourceName.BITS),
    RefinementStrategy.WP: (SourceName.WP, SourceName.SP, SourceName.INTEGERS, SourceName.BITS),
    RefinementStrategy.SEQ_ITP: (SourceName.INTEGERS, SourceName.BITS, SourceName.SP, SourceName.WP),
    RefinementStrategy.MINED: (SourceName.MINED, SourceName.WP, SourceName.SP, SourceName.INTEGERS, SourceName.BITS),
    RefinementStrategy.BW_BIN_ITP: (SourceName.BACKWARDS, SourceName.WP, SourceName.SP),
}

MOST_CASES = 4
DIVERGING = 6
"""Rounds of one place on a path with predicates of its own for each: more would follow."""
COUNTING = 10
"""Values of one variable at one place: it counts, and predicates say more."""
MANY_PREDICATES = 80
"""No proof of the tasks that were looked at has so many: other sources say it with fewer."""


@dataclass(frozen=True, slots=True)
class Configuration:
    domain: AbstractDomain = AbstractDomain.PROD
    scope: PrecisionScope = PrecisionScope.GLOBAL
    search: SearchOrder = SearchOrder.ERR
    source: RefinementStrategy = RefinementStrategy.WP
    reduction: ArgPor = ArgPor.AA_POINTERS
    pointers: PointerTracking = PointerTracking.NEEDED
    most_cases: int = MOST_CASES
    """Values that a letter may give to tracked variables before they are not known: `maxenum`."""
    order: ThreadOrder = ThreadOrder.PERSISTENT
    pruning: Pruning = Pruning.LAZY
    at_a_time: int = 1
    """Counterexamples."""
    initial: InitialPrecision = InitialPrecision.EMPTY
    most_rounds: int | None = None
    """Of a loop on a path, before another configuration is tried; None: no limit."""
    most_values: int | None = None
    """Of one variable where the threads stand so, before it is not tracked any more; None: no limit."""
    most_predicates: int | None = None
    """Before another configuration is tried; None: no limit."""

    @property
    def tracks_values(self) -> bool:
        return self.domain in (AbstractDomain.EXPL, AbstractDomain.PROD)

    @property
    def has_predicates(self) -> bool:
        return self.domain is not AbstractDomain.EXPL

    def __str__(self) -> str:
        order = "" if self.order is ThreadOrder.PERSISTENT else f", {self.order.value}"
        initial = "" if self.initial is InitialPrecision.EMPTY else f", {self.initial.value}"
        said = f"{self.domain.value}, {self.source.value}, {self.search.value}, {self.reduction.value}"
        return f"{said}{order}{initial}"
