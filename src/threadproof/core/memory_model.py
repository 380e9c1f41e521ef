"""What the threads of a program may see of each other's stores, and when."""

from __future__ import annotations

from enum import Enum

from threadproof.core.errors import InputError


class MemoryModel(Enum):
    SC = "sc"
    """Sequential consistency: every load sees the last store before it."""
    TSO = "tso"
    """Total store order: a thread's stores reach the others late, in their order."""
    PSO = "pso"
    """Partial store order: and those to different addresses in any order."""

    def __str__(self) -> str:
        return self.value


def parse_memory_model(text: str) -> MemoryModel:
    for known in MemoryModel:
        if text == known.value:
            return known
    raise InputError(f"unknown memory model '{text}': choose one of {', '.join(known.value for known in MemoryModel)}")
