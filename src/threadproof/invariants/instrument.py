"""C text with invariants as checks, and with ghost variables.

A check is an atomic block in front of a statement, or in front of the condition of a loop each time it is evaluated:
`__VERIFIER_atomic_begin(); if (!(x == y)) ...; __VERIFIER_atomic_end();`. Since it only reads, it takes no execution
from the program and adds none that the program does not have. A ghost variable is a global one; its update happens
together with a lock, an unlock or the creation of a thread, which is one step in C as well; elsewhere it is a step of
its own before the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from threadproof.witness.model import CorrectnessWitness, GhostUpdate, StateInvariant
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts

LOOPS = ("while", "for", "do")
TOGETHER = frozenset(
    (
        *("pthread_mutex_lock", "pthread_mutex_unlock", "pthread_spin_lock", "pthread_spin_unlock", "pthread_create"),
        *("pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock"),
    )
)
"""What is one step of a thread in C: a ghost may change with it. A lock inside of an atomic block is taken when it is
free: until then the thread stands before the block."""
_BEGIN, _END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
_HEAD = "void __VERIFIER_atomic_begin(); void __VERIFIER_atomic_end(); void __VERIFIER_error();"


_Placed = TypeVar("_Placed", StateInvariant, GhostUpdate)


class NoPlace(Exception):
    """An invariant or an update that cannot be put into the text."""


@dataclass(frozen=True, slots=True)
class InstrumentedFile:
    """`lines`: of the text, by the number of the invariant whose check fails there."""

    path: str
    text: str
    lines: dict[int, int]


Consequence = Callable[[int], str]
"""What is done if the invariant of this number does not hold: a statement, and what has to be declared for it."""


def failing(number: int) -> str:
    return f"threadproof_broken_{number}();"


def noting(number: int) -> str:
    return f"threadproof_broken_{number} = 1;"


def instrumented(texts: SourceTexts, witness: CorrectnessWitness, consequence: Consequence) -> list[InstrumentedFile]:
    """All files of the program. Raises NoPlace."""
    return [
        _FileWriter(texts, file, witness, consequence, first=index == 0).written()
        for index, file in enumerate(texts.files)
    ]


class _FileWriter:
    def __init__(
        self, texts: SourceTexts, file: str, witness: CorrectnessWitness, consequence: Consequence, first: bool
    ) -> None:
        found = texts.of(file)
        if found is None:
            raise NoPlace(f"{file} is no C")
        self._text: SourceText = found
        self._witness = witness
        self._consequence = consequence
        self._first = first
        self._invariants = [
            (n, one) for n, one in enumerate(witness.invariants) if texts.named(one.position.file) == file
        ]
        self._updates = [one for one in witness.updates if texts.named(one.position.file) == file]
        self._insertions: list[tuple[int, int, str]] = []  # where, in which order, what

    def written(self) -> InstrumentedFile:
        for statement, several in self._by_statement(self._invariants):
            self._check(statement, several)
        for statement, updates in self._by_statement([(0, one) for one in self._updates]):
            self._update(statement, [one for _, one in updates])
        head = self._head()
        lines = {number: len(head) - len(self._invariants) + i + 1 for i, (number, _) in enumerate(self._invariants)}
        text, parts, last = self._text.text, list[str](), 0
        for offset, _, inserted in sorted(self._insertions, key=lambda one: one[:2]):
            parts += [text[last:offset], inserted]
            last = offset
        return InstrumentedFile(self._text.path, "\n".join([*head, "".join([*parts, text[last:]])]), lines)

    def _head(self) -> list[str]:
        extern = "" if self._first else "extern "
        ghosts = (
            f"{extern}{one.type} {one.name}{f' = {one.initial}' if self._first else ''};"
            for one in self._witness.ghosts
        )
        calls = self._consequence is failing
        checks = (
            f"static void threadproof_broken_{n}(void) {{ __VERIFIER_error(); }}"
            if calls
            else f"int threadproof_broken_{n};"
            for n, _ in self._invariants
        )
        return [_HEAD, *ghosts, *checks]

    def _by_statement(self, given: Iterable[tuple[int, _Placed]]) -> list[tuple[CStatement, list[tuple[int, _Placed]]]]:
        found: dict[CStatement, list[tuple[int, _Placed]]] = {}
        for number, one in given:
            statement = self._text.statement(one.position.line, one.position.column)
            if statement is None:
                raise NoPlace(f"there is no statement at line {one.position.line}")
            found.setdefault(statement, []).append((number, one))
        return list(found.items())

    # --- checks ------------------------------------------------------------------------------------------------------

    def _check(self, statement: CStatement, invariants: Sequence[tuple[int, StateInvariant]]) -> None:
        loop = [(n, one) for n, one in invariants if one.loop]
        before = [(n, one) for n, one in invariants if not one.loop]
        if loop and statement.keyword not in LOOPS:
            raise NoPlace(f"there is no loop at line {loop[0][1].position.line}")
        if loop and statement.keyword == "do":
            self._around(*statement.body, self._block(loop))
        elif loop:
            start, end = self._text.loop_condition(statement)
            self._insert(
                start, 2, f"({{ {self._block(loop)} 1; }}) && (" if start < end else f"({{ {self._block(loop)} 1; }})"
            )
            if start < end:
                self._insert(end, -1, ")")
        if before:
            self._in_front(statement, self._block(before), order=1)

    def _block(self, invariants: Sequence[tuple[int, StateInvariant]]) -> str:
        checks = (f"if (!({one.value})) {self._consequence(n)}" for n, one in invariants)
        return f"{_BEGIN} {' '.join(checks)} {_END}"

    # --- ghosts ------------------------------------------------------------------------------------------------------

    def _update(self, statement: CStatement, updates: Sequence[GhostUpdate]) -> None:
        names = self._text.words(statement)
        assigned = " ".join(f"{one.variable} = {one.value};" for one in updates)
        if names and names[0] in TOGETHER and self._text.is_call(statement):
            self._around(statement.start, statement.end, _BEGIN, order=2)
            self._insert(statement.end, -2, f" {assigned} {_END}")
        else:
            self._in_front(statement, f"{_BEGIN} {assigned} {_END}", order=2)

    # --- text --------------------------------------------------------------------------------------------------------

    def _in_front(self, statement: CStatement, text: str, order: int) -> None:
        """Both in brackets, so that they are one statement whatever stands around them. A declaration cannot be: what
        it declares is needed behind it."""
        if not self._text.declares(statement):
            self._around(statement.start, statement.end, text, order)
        elif self._text.is_in_block(statement):
            self._insert(statement.start, order, f"{text} ")
        else:
            raise NoPlace(f"no check can stand before the declaration at line {self._text.place(statement.start)[0]}")

    def _around(self, start: int, end: int, text: str, order: int = 1) -> None:
        self._insert(start, order, f"{{ {text} ")
        self._insert(end, -1, " }")

    def _insert(self, offset: int, order: int, text: str) -> None:
        self._insertions.append((offset, order, text))
