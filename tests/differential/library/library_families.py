"""All families of cases by name."""

from __future__ import annotations

import random
from collections.abc import Callable

import library_heap
import library_locks
import library_maths
import library_numbers
import library_strings
import library_system
import library_text
import library_threads
from library_case import Case

from threadproof.sync.table import TABLE

# What the front end knows without a row, and what is a macro.
BY_THE_COMPILER = frozenset(
    f"{name}{end}" for name in ("sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "roundeven", "fmin",
                                "fmax", "copysign", "fma", "fmod") for end in ("", "f", "l")
) | {"pthread_cleanup_push"}  # fmt: skip

FAMILIES: dict[str, Callable[[random.Random], list[Case]]] = {
    "strings": library_strings.cases,
    "numbers": library_numbers.cases,
    "heap": library_heap.cases,
    "text": library_text.cases,
    "maths": library_maths.cases,
    "system": library_system.cases,
    "locks": library_locks.cases,
    "threads": library_threads.cases,
}


def cases_of(family: str, seed: int = 0) -> list[Case]:
    """Of functions that have a row: others are externals, and their calls unsupported."""
    found = FAMILIES[family](random.Random(f"{family} {seed}"))
    return [case for case in found if case.function in TABLE or case.function in BY_THE_COMPILER]


def drawn(cases: list[Case], most: int, seed: int = 0) -> list[Case]:
    """At most so many of each function, at random."""
    by_function: dict[str, list[Case]] = {}
    for case in cases:
        by_function.setdefault(case.function, []).append(case)
    rng = random.Random(seed)
    return [case for some in by_function.values() for case in rng.sample(some, min(most, len(some)))]
