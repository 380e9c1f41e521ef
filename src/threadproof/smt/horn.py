"""Horn clauses over integers and Booleans: which relations make all of them true.

Paper: A. Komuravelli, A. Gurfinkel, S. Chaki, SMT-Based Model Checking for Recursive Programs, CAV 2014 (Spacer).
Differs: z3's Spacer does it, in a process of its own, since it looks at the clock when it suits it. What comes back is
text. A solution is put into all clauses and asked about anew, by another solver of z3's.
"""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any

from threadproof.smt.apart import answer_of
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.term import BOOL, Op, Term, variables
from threadproof.smt.terms import Terms
from threadproof.smt.z3_backend import TermsOfZ3


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """Between the values of its parameters, which are variables: integers and Booleans."""

    name: str
    params: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    relation: Relation
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class HornClause:
    """For all values of its variables: if `body` and `given` hold, then `head`; without one, they never do."""

    body: tuple[Applied, ...]
    given: Term
    head: Applied | None


class NoSolution(Enum):
    NONE = "there is none"
    LIMIT = "it was not found in time"


Solution = Mapping[Relation, Term]
"""What each relation says of its parameters."""


PROCESSOR_S = 10.0
"""Mostly a second is enough, or an hour is not."""

_GIVING_WAY = 5

Settings = Mapping[str, bool | int]
"""Of Spacer, by z3's names."""
_READABLE: Settings = {"xform.inline_eager": False, "xform.inline_linear": False, "xform.slice": False}
"""Relations stay as they are: what is said of those that were put into others has quantifiers."""


def solve(
    terms: Terms,
    clauses: Sequence[HornClause],
    seconds: float,
    processor_s: float = PROCESSOR_S,
    settings: Settings | None = None,
) -> Solution | NoSolution:
    """Of these clauses; at the latest after so many seconds, of which the solver may use so many of a processor."""
    relations = list(dict.fromkeys(one.relation for clause in clauses for one in _all(clause)))
    text = answer_of(_child, (terms, clauses, relations, settings or {}, processor_s), max(0.0, seconds))
    if not isinstance(text, str):
        return NoSolution.LIMIT if text is None else text
    return dict(zip(relations, read(terms, text), strict=True))


def _all(clause: HornClause) -> tuple[Applied, ...]:
    return clause.body if clause.head is None else (*clause.body, clause.head)


def _child(
    answer: Connection,
    terms: Terms,
    clauses: Sequence[HornClause],
    relations: Sequence[Relation],
    settings: Settings,
    processor_s: float,
) -> None:
    """It ends by itself even if nobody is left to end it, and gives way to those who have better chances. z3's own
    limit needs a thread, which a child does not inherit."""
    os.nice(_GIVING_WAY)
    most = math.ceil(time.process_time() + processor_s)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    try:
        found = _Spacer(terms, relations, settings).solve(clauses)
    except _Foreign:
        found = None
    answer.send(script(found) if isinstance(found, list) else found)


def _instance(terms: Terms, applied: Applied, solution: Solution) -> Term:
    values = dict(zip(applied.relation.params, applied.args, strict=True))
    return terms.substitute([solution[applied.relation]], values)[0]


class _Foreign(Exception):
    """A part of an answer that is no term of ours."""


class _Spacer:
    def __init__(self, terms: Terms, relations: Sequence[Relation], settings: Settings) -> None:
        self._terms = terms
        self._settings = settings
        self._native = TermsOfZ3()
        self._z3, self._context = self._native.z3, self._native.context
        self._relations = relations
        self._predicates = {one: self._predicate(index, one) for index, one in enumerate(relations)}

    def solve(self, clauses: Sequence[HornClause]) -> list[Term] | NoSolution | None:
        """What each relation says. None: it gave up."""
        spacer, wrong = self._z3.Fixedpoint(ctx=self._context), self._z3.Bool("wrong!", self._context)
        spacer.set(engine="spacer", **_READABLE, **self._settings)
        for predicate in (wrong.decl(), *self._predicates.values()):
            spacer.register_relation(predicate)
        for clause in clauses:
            spacer.add_rule(self._clause(clause, wrong))
        try:
            answer = spacer.query(wrong)
        except self._z3.Z3Exception:  # no memory, or a kind of arithmetic that it does not know
            return None
        if answer == self._z3.sat:
            return NoSolution.NONE
        if answer != self._z3.unsat:
            return None
        found = self._said(spacer.get_answer())
        solution = dict(zip(self._relations, found, strict=True))
        return found if all(self._holds(clause, solution) for clause in clauses) else None

    def _holds(self, clause: HornClause, solution: Solution) -> bool:
        """Asked anew: z3 has given relations that were none."""
        terms = self._terms
        said = [_instance(terms, one, solution) for one in clause.body]
        head = terms.false if clause.head is None else _instance(terms, clause.head, solution)
        solver = self._z3.SolverFor("LIA", ctx=self._context)
        solver.add(self._native.translate(terms.all([*said, clause.given, terms.not_(head)])))
        return solver.check() == self._z3.unsat

    def _sort(self, variable: Term) -> Any:
        return self._z3.BoolSort(self._context) if variable.sort is BOOL else self._z3.IntSort(self._context)

    def _predicate(self, index: int, relation: Relation) -> Any:
        sorts = [self._sort(one) for one in relation.params]
        return self._z3.Function(f"relation{index}", *sorts, self._z3.BoolSort(self._context))

    def _clause(self, clause: HornClause, wrong: Any) -> Any:
        z3, of = self._z3, self._native.translate
        given = [self._applied(one) for one in clause.body]
        head = wrong if clause.head is None else self._applied(clause.head)
        mentioned = [clause.given, *(arg for one in _all(clause) for arg in one.args)]
        bound = [of(one) for one in variables(mentioned)]
        body = z3.And(*given, of(clause.given))
        implied = z3.Implies(body, head)
        return z3.ForAll(bound, implied) if bound else implied

    def _applied(self, applied: Applied) -> Any:
        return self._predicates[applied.relation](*(self._native.translate(arg) for arg in applied.args))

    # --- the answer --------------------------------------------------------------------------------------------------

    def _said(self, answer: Any) -> list[Term]:
        """A conjunction of equations: for all parameters, the relation is what it says."""
        z3, found = self._z3, dict[str, Term]()
        by_name = {predicate.name(): one for one, predicate in self._predicates.items()}
        for part in answer.children() if z3.is_and(answer) else [answer]:
            body = part.body() if z3.is_quantifier(part) else part
            head, said = body.children()
            relation = by_name.get(head.decl().name())
            if relation is None:
                continue
            params = [self._native.translate(one) for one in relation.params]
            order = [z3.get_var_index(arg) for arg in head.children()]
            by_index = dict(zip(order, params, strict=True))
            vs = [by_index.get(i, z3.Int("unused!", self._context)) for i in range(max(order, default=-1) + 1)]
            found[relation.name] = self._read(z3.substitute_vars(said, *vs), {})
        return [found.get(one.name, self._terms.true) for one in self._relations]

    def _read(self, native: Any, done: dict[int, Term]) -> Term:
        """Each part once."""
        key = native.get_id()
        if key not in done:
            done[key] = self._term(native, [self._read(child, done) for child in native.children()])
        return done[key]

    def _term(self, native: Any, args: list[Term]) -> Term:
        z3, terms = self._z3, self._terms
        if not z3.is_app(native):  # a quantifier, where relations were put into each other
            raise _Foreign(str(native))
        match native.decl().kind():
            case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
                return terms.bool(z3.is_true(native))
            case z3.Z3_OP_ANUM:
                return terms.integer(native.as_long())
            case z3.Z3_OP_UNINTERPRETED if not args:
                return terms.var(native.decl().name(), BOOL if z3.is_bool(native) else terms.int_var("x").sort)
            case z3.Z3_OP_AND:
                return terms.all(args)
            case z3.Z3_OP_OR:
                return terms.any(args)
            case z3.Z3_OP_NOT:
                return terms.not_(args[0])
            case z3.Z3_OP_IMPLIES:
                return terms.implies(*args)
            case z3.Z3_OP_EQ | z3.Z3_OP_IFF:
                return terms.eq(*args)
            case z3.Z3_OP_ITE:
                return terms.ite(*args)
            case z3.Z3_OP_LE:
                return terms.at_most(*args)
            case z3.Z3_OP_GE:
                return terms.at_most(args[1], args[0])
            case z3.Z3_OP_LT:
                return terms.less(*args)
            case z3.Z3_OP_GT:
                return terms.less(args[1], args[0])
            case z3.Z3_OP_ADD:
                return terms.total(args)
            case z3.Z3_OP_UMINUS:
                return terms.make(Op.INT_MUL, (args[0], terms.integer(-1)))
            case z3.Z3_OP_SUB if len(args) == 2:
                return terms.make(Op.INT_SUB, tuple(args))
            case z3.Z3_OP_MUL if len(args) == 2:
                return terms.make(Op.INT_MUL, tuple(args))
            case z3.Z3_OP_MOD:
                return terms.make(Op.INT_MOD, tuple(args))
            case z3.Z3_OP_IDIV | z3.Z3_OP_DIV:
                return terms.make(Op.INT_DIV, tuple(args))
            case _:
                raise _Foreign(str(native))
