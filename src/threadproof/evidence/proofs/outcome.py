"""What a checker says of a proof. Only `Accepted` lets `true` be said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accepted:
    figures: Mapping[str, int] = field(default_factory=dict[str, int])  # how much was asked


@dataclass(frozen=True, slots=True)
class Rejected:
    """It is no proof: a bug of the engine, or a corrupted file."""

    why: str


@dataclass(frozen=True, slots=True)
class NotChecked:
    """It may be one. There is no checker, or it did not come to an end."""

    why: str


@dataclass(frozen=True, slots=True)
class NotCovered(NotChecked):
    """The argument that such proofs rest on does not hold of this program, whatever the proof says."""


ProofCheck = Accepted | Rejected | NotChecked
