"""Ghost variables: `m_locked` is 1 while somebody holds `m`, `f_started` from when a thread was created that starts in
`f`, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from threadproof.invariants.candidates import ghost_of, phase_of
from threadproof.invariants.expressions import words
from threadproof.witness.model import CorrectnessWitness, GhostUpdate, GhostVariable, SourcePosition
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts

_SIMPLE = {"pthread_mutex_lock": "1", "pthread_mutex_unlock": "0"}
_CREATE = "pthread_create"
_HARMLESS = frozenset(("pthread_mutex_init", "pthread_mutex_destroy"))


def with_ghosts(witness: CorrectnessWitness, texts: SourceTexts) -> CorrectnessWitness:
    """With the ghosts that its invariants speak of; without invariants that speak of one there cannot be."""
    files = [text for text in map(texts.of, texts.files) if text is not None]
    asked = {word for one in witness.invariants for word in words(one.value)}
    names = {name for text in files for statement in text.statements for name in text.words(statement)}
    possible = {ghost_of(name): _of_lock(name) for name in sorted(names) if ghost_of(name) in asked}
    possible |= {phase_of(name): _of_phase(name) for name in sorted(names) if phase_of(name) in asked}
    updates: dict[str, tuple[GhostUpdate, ...]] = {}
    for ghost, value_at in possible.items():
        if ghost not in names:
            found = _updates(ghost, value_at, files)
            updates |= {} if found is None else {ghost: found}
    missing = possible.keys() - updates.keys()
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


_ValueAt = Callable[[SourceText, CStatement], str | None]
"""The value that a ghost gets with a statement: nothing, if it keeps its value; None if nobody can tell."""


def _of_lock(lock: str) -> _ValueAt:
    def value(text: SourceText, statement: CStatement) -> str | None:
        names = text.words(statement)
        if lock not in names or statement.has_header or _HARMLESS.intersection(names):
            return ""
        found = re.fullmatch(r"(\w+)\s*\(\s*&\s*(\w+)\s*\)\s*;", text.text[statement.start : statement.end])
        return None if found is None or found[2] != lock else _SIMPLE.get(found[1])

    return value


def _of_phase(function: str) -> _ValueAt:
    def value(text: SourceText, statement: CStatement) -> str | None:
        names = text.words(statement)
        if _CREATE not in names or function not in names or statement.has_header:
            return ""
        return "1" if names[0] == _CREATE and text.is_call(statement) else None

    return value


def _updates(ghost: str, value_at: _ValueAt, files: list[SourceText]) -> tuple[GhostUpdate, ...] | None:
    found: list[GhostUpdate] = []
    for text in files:
        for statement in text.statements:
            value = value_at(text, statement)
            if value is None:
                return None
            if value:
                line, column = text.place(statement.start)
                found.append(GhostUpdate(SourcePosition(text.path, line, column), ghost, value))
    return tuple(found)
