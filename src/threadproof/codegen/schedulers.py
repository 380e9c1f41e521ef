"""Who moves next, as small values; `kernel/schedulers.h` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.core.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Uniform:
    """Lodin's: uniform over the active threads at every step; one whose next instruction would block is not active."""


@dataclass(frozen=True, slots=True)
class Pct:
    """Paper: Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of
    Finding Bugs, ASPLOS 2010, section 3. Random priorities, `depth` - 1 changes among the first `length` steps."""

    depth: int
    length: int


@dataclass(frozen=True, slots=True)
class RandomWalk:
    """Uniform at every point where interleaving matters: a thread that nobody can notice goes first."""


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """`quantum` steps each, in the order of thread numbers; a blocked thread is passed over."""

    quantum: int = 1


@dataclass(frozen=True, slots=True)
class Replay:
    schedule: Schedule


Scheduler = Uniform | Pct | RandomWalk | RoundRobin | Replay
