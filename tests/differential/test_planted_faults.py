"""The comparison notices faults: each of these is planted in the engine or a pass, and must show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from comparison import compare

from threadproof.core.property import Property
from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import ProgramShape, generate
from threadproof.engines.explicit.reference import ReferenceSearch
from threadproof.ir.program import Program
from threadproof.passes import pipeline
from threadproof.semantics.outcome import Access

ENOUGH = 40  # programs tried before a fault counts as unnoticed


def differs(*features: Feature) -> bool:
    shape = ProgramShape(threads=(2, 2), statements=(1, 1), allowed=features, features=(len(features), len(features)))
    return any(compare(generate(seed, shape), 500).differences for seed in range(ENOUGH))


def test_a_global_wrongly_taken_for_private(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(program: Program) -> Program:
        return replace(program, unshared=frozenset({"x"}))

    passes = tuple(careless if p is pipeline.mark_unshared else p for p in pipeline.PIPELINE)
    monkeypatch.setattr(pipeline, "PIPELINE", passes)
    assert differs(Feature.BUILTIN)


def test_a_reduction_that_forgets_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_only(self: ReferenceSearch, state: Any, threads: list[int], done: Any = None) -> Any:
        return moves(self, state, threads[:1], done)

    moves: Callable[..., Any] = ReferenceSearch._moves
    monkeypatch.setattr(ReferenceSearch, "_moves", first_only)
    assert differs(Feature.MUTEX)


def test_atomic_accesses_taken_for_races(monkeypatch: pytest.MonkeyPatch) -> None:
    def conflict(self: ReferenceSearch, threads: list[int], done: Any) -> bool:
        if self._task.property is not Property.NO_DATA_RACE:
            return usual(self, threads, done)
        sets = [{a.address for a in found if isinstance(a, Access)} for found in done.footprints.values()]
        return any(a & b for i, a in enumerate(sets) for b in sets[i + 1 :])

    usual: Callable[..., bool] = ReferenceSearch._violated_by_state
    monkeypatch.setattr(ReferenceSearch, "_violated_by_state", conflict)
    assert differs(Feature.ATOMIC)
