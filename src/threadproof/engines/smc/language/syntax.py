"""A query as it was written: the parser's result, before any name has a meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class QuerySpan:
    """Where in the query's text something stands, from 1."""

    line: int = 1
    column: int = 1


START = QuerySpan()


@dataclass(frozen=True, slots=True)
class QueryNumber:
    value: int | float
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryUnary:
    op: str
    operand: Expr
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryBinary:
    op: str
    left: Expr
    right: Expr
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryChoice:
    condition: Expr
    then: Expr
    otherwise: Expr
    at: QuerySpan = START


Process = int | str
"""A process: 0 is main, n main's n-th thread; or a variable of Exists and Forall."""


@dataclass(frozen=True, slots=True)
class Calls:
    """`[0.func]`: the process's next instruction calls func."""

    process: Process
    function: str
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class StandsAt:
    """`[1 at file.c:40]`: the process's next instruction stands at that line."""

    process: Process
    file: str  # empty: any
    line: int
    at: QuerySpan = START


class Quantifier(Enum):
    EXISTS = "Exists"
    FORALL = "Forall"


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: Quantifier
    variable: str
    body: Expr
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryRegister:
    """`@0.main.%tmp3;type`."""

    process: Process
    function: str
    register: str
    type: str  # empty: a signed number of the register's width
    at: QuerySpan = START


class PartKind(Enum):
    MEMBER = "."
    ARROW = "->"
    LOCAL = "::"
    ELEMENT = "[]"


@dataclass(frozen=True, slots=True)
class NamePart:
    kind: PartKind
    name: str = ""
    index: Expr | None = None
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryName:
    """A C name: `i`, `main::x`, `1.worker::k`, `a[2].f`, `head->next`."""

    process: int | None
    first: str
    parts: tuple[NamePart, ...] = ()
    at: QuerySpan = START


@dataclass(frozen=True, slots=True)
class QueryPosition:
    """`worker@12`: a thread stands at line 12 in worker."""

    name: QueryName
    line: int
    at: QuerySpan = START


Expr = (
    QueryNumber
    | QueryUnary
    | QueryBinary
    | QueryChoice
    | Calls
    | StandsAt
    | Quantified
    | QueryRegister
    | QueryName
    | QueryPosition
)


class PathKind(Enum):
    EVENTUALLY = "<>"
    GLOBALLY = "[]"
    UNTIL = "U"


@dataclass(frozen=True, slots=True)
class Path:
    """`<> goal`, `[] goal`, or `keep U goal`."""

    kind: PathKind
    goal: Expr
    keep: Expr | None = None


@dataclass(frozen=True, slots=True)
class ProbabilityBound:
    """`>= p`: the question whether the probability is at least p."""

    op: str
    value: float


@dataclass(frozen=True, slots=True)
class Probability:
    steps: int
    path: Path
    bound: ProbabilityBound | None = None


class Measure(Enum):
    MAX = "max"
    MIN = "min"
    AVG = "avg"


@dataclass(frozen=True, slots=True)
class Expectation:
    """`Estimate [<=steps,runs] {max e}`: the mean over the runs of the largest value of e in a run."""

    steps: int
    runs: int
    measure: Measure
    expr: Expr


@dataclass(frozen=True, slots=True)
class EnumStates:
    steps: int
    runs: int


Query = Probability | Expectation | EnumStates
