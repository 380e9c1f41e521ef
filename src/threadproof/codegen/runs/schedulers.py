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
    Finding Bugs, ASPLOS 2010, section 3. Random priorities, `depth` - 1 changes among the first `length` steps.
    Differs: a thread that moved many times in a row (16 to 2048, by run) falls below the others, or a loop that waits
    for them would never end."""

    depth: int
    length: int


@dataclass(frozen=True, slots=True)
class RandomWalk:
    """Paper: Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025 (there URW).
    A thread is chosen by the steps it is still expected to make (`lengths`, by slot), so that all interleavings are
    about as likely; what a thread not yet created will do counts with main. Without lengths all threads weigh the
    same. Differs: a thread whose next step is private goes first."""

    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """`quantum` steps each, in the order of thread numbers; a blocked thread is passed over."""

    quantum: int = 1


@dataclass(frozen=True, slots=True)
class ReplayScheduler:
    schedule: Schedule


Scheduler = Uniform | Pct | RandomWalk | RoundRobin | ReplayScheduler
