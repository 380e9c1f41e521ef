"""Facts about operations follow from what they do: proved of the cases of guarded ones, read off the reference
semantics for the others."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields
from functools import cache

import pytest

from threadproof.encoding.sync_cases import guarded_step
from threadproof.engines.dpor.op_kinds import OpKind, op_kind
from threadproof.ir.instr import Sync
from threadproof.ir.layout import Layout
from threadproof.semantics import sync_ops
from threadproof.smt.solver import Unsat, open_solver
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import FACTS, Act, Attempt, Blocks, Family, LockMode, Seen, SyncFacts, Touches
from threadproof.sync.facts import table as rows
from threadproof.sync.operations import EINVAL, ENOTRECOVERABLE, ETIMEDOUT, OPERATIONS, Guarded

GUARDED = {name: operation for name, operation in OPERATIONS.items() if isinstance(operation, Guarded)}
LAYOUT = Layout.of(64, (), (), ())
PRIMITIVES = OPERATIONS.keys() - GUARDED.keys()


def test_every_operation_has_every_fact_and_no_other_has_any() -> None:
    assert rows._GUARDED.keys() == GUARDED.keys()
    assert rows._PRIMITIVES.keys() == PRIMITIVES
    assert FACTS.keys() == OPERATIONS.keys()
    for facts in FACTS.values():
        assert all(getattr(facts, field.name) is not ... for field in fields(SyncFacts))
    with pytest.raises(TypeError):
        SyncFacts(Act.LOCK, Family.MUTEX)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_facts_of_an_operation_fit_together(name: str) -> None:
    facts, arity = FACTS[name], OPERATIONS[name].arity
    arguments = [*facts.names, *facts.keeps, *(use.arg for use in facts.uses), *(one.arg for one in facts.stores)]
    assert all(0 <= arg < arity for arg in arguments)
    if facts.touches is Touches.FIXED:
        assert not facts.may_block
    if facts.seen is Seen.BY_NOBODY:
        assert not facts.may_block
        assert (facts.uses, facts.stores, facts.locks) == ((), (), None)
    assert not (facts.locks and facts.releases is not None)
    if facts.act is Act.INIT:
        assert facts.uses[0].arg == 0
        assert facts.uses[0].writes


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_stateless_search_knows_what_may_block(name: str) -> None:
    kind = op_kind(Sync(None, name, ()))
    assert (kind in (OpKind.LOCK, OpKind.BLOCKING)) == FACTS[name].may_block
    assert (kind is OpKind.ATOMIC) == (FACTS[name].act is Act.BEGIN)


# --- guarded operations ----------------------------------------------------------------------------------------------


class Step:
    """One step of an operation in an arbitrary state, by any thread."""

    def __init__(self, name: str) -> None:
        self.facts, operation = FACTS[name], GUARDED[name]
        self.terms = terms = Terms()
        self.before = {field.name: terms.bv_var(field.name, field.bits) for field in operation.fields}
        args = [terms.bv_var(f"argument {n}", 32) for n in range(operation.arity)]
        self.own = terms.bv_var("own handle", 32)
        self.done = guarded_step(terms, LAYOUT, operation, self.before, args, self.own)
        self._given = [terms.ne(self.own, self.number(0))]
        if self.facts.attempt is Attempt.TIMED:  # what the time may be: past, or none at all
            self._given.append(self.one_of(args[1], (ETIMEDOUT, EINVAL)))

    def number(self, value: int) -> Term:
        return self.terms.bv(value, 32)

    def one_of(self, value: Term, numbers: tuple[int, ...]) -> Term:
        return self.terms.any(self.terms.eq(value, self.number(number)) for number in numbers)

    def always(self, claim: Term, *given: Term) -> bool:
        solver = open_solver()
        solver.add(*self._given, *given, self.terms.not_(claim))
        return isinstance(solver.check(), Unsat)


@pytest.mark.parametrize("name", GUARDED)
def test_when_a_guarded_operation_blocks(name: str) -> None:
    step = Step(name)
    moves, terms = step.done.moves, step.terms
    assert step.always(moves) == (not step.facts.may_block)
    if step.before and step.facts.may_block:
        word = step.before[GUARDED[name].fields[0].name]
        free, mine = terms.eq(word, step.number(0)), terms.eq(word, step.own)
        by_first_word = step.always(moves, free) and step.always(terms.not_(moves), terms.not_(free), terms.not_(mine))
        assert (step.facts.blocks is Blocks.HELD) == by_first_word


LOCKING = [name for name in GUARDED if FACTS[name].locks is not None]


@pytest.mark.parametrize("name", LOCKING)
def test_a_lock_is_held_unless_the_result_says_that_it_is_not(name: str) -> None:
    step, locks = Step(name), FACTS[name].locks
    assert locks is not None
    terms, before, after = step.terms, step.before, step.done.words
    failed = step.one_of(step.done.result, locks.failures)
    taken = terms.and_(step.done.moves, terms.not_(failed))
    unchanged = terms.all(terms.eq(before[word], after[word]) for word in before)
    assert step.always(unchanged, step.done.moves, failed)
    if locks.holder is None:
        assert step.always(terms.eq(before["value"], terms.add(after["value"], step.number(1))), taken)
        return
    held = terms.eq(after[locks.holder.name], step.own)
    if locks.sharing is LockMode.SHARED:
        free = terms.eq(after[locks.holder.name], step.number(0))
        counted = terms.eq(after["readers"], terms.add(before["readers"], step.number(1)))
        held = terms.or_(held, terms.and_(free, counted))
    assert step.always(held, taken)
    lost = (ENOTRECOVERABLE,)  # of a robust mutex: waiting would not help
    assert (FACTS[name].attempt is Attempt.NO) == (locks.failures in ((), lost))


@pytest.mark.parametrize("name", GUARDED)
def test_only_releases_and_initialisation_free_a_lock(name: str) -> None:
    step, facts = Step(name), FACTS[name]
    terms, before, after = step.terms, step.before, step.done.words
    frees = facts.releases == 0 or facts.act is Act.INIT
    for word in {"owner", "writer", "holder"} & before.keys():
        mine, free = terms.eq(before[word], step.own), terms.eq(before[word], step.number(0))
        kept = step.always(terms.eq(before[word], after[word]), step.done.moves, terms.not_(mine), terms.not_(free))
        assert kept or frees
        assert step.always(terms.ne(after[word], step.number(0)), step.done.moves, mine) == (not frees)


# --- primitives, as the reference semantics has them -----------------------------------------------------------------


@cache
def methods() -> dict[str, ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(sync_ops))
    [made] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "SyncOps"]
    return {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}


def mentioned(name: str, seen: set[str] | None = None) -> set[str]:
    """Every name in a method and in those that it calls."""
    seen = set() if seen is None else seen
    found: set[str] = set()
    if name in methods() and name not in seen:
        seen.add(name)
        for node in ast.walk(methods()[name]):
            if isinstance(node, ast.Name | ast.Attribute):
                word = node.id if isinstance(node, ast.Name) else node.attr
                found |= {word} | mentioned(word, seen)
    return found


WRITTEN_OUT = sorted(name for name in PRIMITIVES if f"_{name}" in methods())


def test_the_primitives_that_are_written_out_elsewhere() -> None:
    elsewhere = {FACTS[name].act for name in PRIMITIVES if name not in WRITTEN_OUT}
    assert elsewhere == {Act.BEGIN, Act.END, Act.EXIT}


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_a_primitive_blocks_stores_and_names_threads_where_the_reference_does(name: str) -> None:
    words, facts = mentioned(f"_{name}"), FACTS[name]
    assert facts.may_block == ("BlockedHere" in words)
    assert bool(facts.stores) == ("store_result" in words)
    assert bool(facts.names) == ("thread_by_handle" in words)
    assert bool(facts.locks) == ("_lock" in words)
    assert (facts.releases is not None) == ("_unlock" in words)
