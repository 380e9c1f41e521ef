"""Ghost variables for locks: `m_locked` is 1 while somebody holds `m`, as far as the text tells who takes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from threadproof.invariants.candidates import ghost_of
from threadproof.invariants.expressions import words
from threadproof.witness.model import CorrectnessWitness, GhostUpdate, GhostVariable, SourcePosition
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts

_SIMPLE = {"pthread_mutex_lock": "1", "pthread_mutex_unlock": "0"}
_HARMLESS = frozenset(("pthread_mutex_init", "pthread_mutex_destroy"))


def with_ghosts(witness: CorrectnessWitness, texts: SourceTexts) -> CorrectnessWitness:
    """With the ghosts that its invariants speak of; without invariants that speak of one there cannot be."""
    files = [text for text in map(texts.of, texts.files) if text is not None]
    asked = {word for one in witness.invariants for word in words(one.value)}
    locks = sorted({name for text in files for name in _locks(text) if ghost_of(name) in asked})
    updates: dict[str, tuple[GhostUpdate, ...]] = {}
    for lock in locks:
        clash = any(re.search(rf"\b{ghost_of(lock)}\b", text.text) for text in files)
        found = None if clash else _updates(lock, files)
        if found is not None:
            updates[ghost_of(lock)] = found
    missing = {ghost_of(lock) for lock in locks} - updates.keys()
    kept = tuple(one for one in witness.invariants if missing.isdisjoint(words(one.value)))
    return _used(replace(witness, invariants=kept), updates)


def _used(witness: CorrectnessWitness, updates: dict[str, tuple[GhostUpdate, ...]]) -> CorrectnessWitness:
    said = {word for one in witness.invariants for word in words(one.value)}
    ghosts = [name for name in updates if name in said]
    every = tuple(update for name in ghosts for update in updates[name])
    return replace(witness, ghosts=tuple(map(GhostVariable, ghosts)), updates=every)


def without_unused(witness: CorrectnessWitness) -> CorrectnessWitness:
    """Ghosts that no invariant speaks of any more say nothing."""
    updates: dict[str, tuple[GhostUpdate, ...]] = {}
    for one in witness.updates:
        updates[one.variable] = (*updates.get(one.variable, ()), one)
    return _used(witness, updates)


def _locks(text: SourceText) -> Iterator[str]:
    for statement in text.statements:
        found = _argument(text, statement)
        if found is not None:
            yield found[1]


def _argument(text: SourceText, statement: CStatement) -> tuple[str, str] | None:
    """Function and lock of `pthread_mutex_lock(&m);` and the like."""
    found = re.fullmatch(r"(\w+)\s*\(\s*&\s*(\w+)\s*\)\s*;", text.text[statement.start : statement.end])
    return (found[1], found[2]) if found is not None and found[1] in _SIMPLE else None


def _updates(lock: str, files: list[SourceText]) -> tuple[GhostUpdate, ...] | None:
    """None if something else is done with the lock."""
    found: list[GhostUpdate] = []
    for text in files:
        for statement in text.statements:
            names = text.words(statement)
            if lock not in names or statement.has_header or _HARMLESS.intersection(names):
                continue
            given = _argument(text, statement)
            if given is None:
                return None
            line, column = text.place(statement.start)
            found.append(GhostUpdate(SourcePosition(text.path, line, column), ghost_of(lock), _SIMPLE[given[0]]))
    return tuple(found)
