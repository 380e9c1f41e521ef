"""The guarded operations of the sync table as terms: the third reader of `sync.operations`, beside `semantics` and
`codegen`. Reading and writing the object's words is the business of whoever encodes memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from threadproof.encoding.encoded import Environment
from threadproof.encoding.expressions import condition, value
from threadproof.ir.expr import Expr
from threadproof.ir.layout import Layout
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms
from threadproof.sync.operations import Case, Field, Guarded

WORD = 32


@dataclass(frozen=True, slots=True)
class SyncStep:
    """One indivisible step, if `moves`; else the thread is blocked and nothing changes."""

    moves: Term
    taken: tuple[tuple[Case, Term], ...]  # each case with when it is the one: one of them if it moves, else none
    words: dict[str, Term]  # every field afterwards
    result: Term


def guarded_step(
    terms: Terms,
    layout: Layout,
    operation: Guarded,
    words: Mapping[str, Term],
    args: Sequence[Term],
    handle: Term,
) -> SyncStep:
    """`words` are the fields before (what a null attribute reads as is up to the caller), `handle` the running
    thread's."""
    arguments = {f"arg{index}": _word(terms, arg) for index, arg in enumerate(args)}
    registers = {"self": handle, **arguments, **words}
    reading = _Reading(terms, Environment(layout, registers, terms.bv(0, handle.width), lambda expr: ()))
    taken = reading.first(operation.cases)
    moves = terms.any(when for _, when in taken)
    after = {field.name: reading.after(field, words[field.name], taken) for field in operation.fields}
    return SyncStep(moves, tuple(taken), after, reading.result(taken))


def _word(terms: Terms, arg: Term) -> Term:
    return terms.zext(arg, WORD) if arg.width < WORD else terms.extract(arg, WORD - 1, 0)


class _Reading:
    def __init__(self, terms: Terms, environment: Environment) -> None:
        self._terms = terms
        self._environment = environment

    def first(self, cases: Sequence[Case]) -> list[tuple[Case, Term]]:
        taken: list[tuple[Case, Term]] = []
        none_before = self._terms.true
        for case in cases:
            when = condition(self._terms, self._environment, case.when).value
            taken.append((case, self._terms.and_(none_before, when)))
            none_before = self._terms.and_(none_before, self._terms.not_(when))
        return taken

    def after(self, field: Field, before: Term, taken: Sequence[tuple[Case, Term]]) -> Term:
        word = before
        for case, when in taken:
            for name, expr in case.sets:
                if name == field.name:
                    word = self._terms.ite(when, self._plain(expr), word)
        return word

    def result(self, taken: Sequence[tuple[Case, Term]]) -> Term:
        found = self._terms.bv(0, WORD)
        for case, when in taken:
            found = self._terms.ite(when, self._plain(case.result), found)
        return found

    def _plain(self, expr: Expr) -> Term:
        found = value(self._terms, self._environment, expr)
        assert not found.traps, "an operation of the sync table traps"
        assert not found.definitions
        return found.value
