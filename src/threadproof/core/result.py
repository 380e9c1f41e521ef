"""What an engine answers. Sampling never gives Safe; a bound never gives Safe; a timeout is Unknown."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Schedule
from threadproof.core.trace import Trace

if TYPE_CHECKING:
    from threadproof.core.proofs import Proof  # many classes, which --help does without

Stats = dict[str, Any]


class Verdict(Enum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Safe:
    proof: Proof
    stats: Stats = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A claimed violation: a schedule. It is worth nothing until `evidence` has replayed it."""

    schedule: Schedule
    stats: Stats = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Unknown:
    """`met`: a schedule that leads to undefined behaviour because of which `true` cannot be said, if one was kept."""

    reason: str
    stats: Stats = field(default_factory=dict[str, Any])
    met: Schedule | None = None


Result = Safe | Unsafe | Unknown


@dataclass(frozen=True, slots=True)
class Answer:
    """One property's final word, after the evidence was checked: what reports are made of."""

    property: Property
    verdict: Verdict
    engine: str
    reason: str = ""
    violated: str = ""  # memory safety: the sub-property
    trace: Trace | None = None
    proof: Proof | None = None
    stats: Stats = field(default_factory=dict[str, Any])
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_mb: float = 0.0
    memory_model: MemoryModel = MemoryModel.SC
    cached: str = ""  # of an answer from the cache: who found it, when, and what was checked again now
    assumptions: tuple[str, ...] = ()  # what the verdict rests on besides the evidence
    notes: tuple[
        str, ...
    ] = ()  # what the front end took for granted; engines that failed or were wrong on the way to this answer
