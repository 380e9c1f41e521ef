"""One value for each column and nothing between them: a box of intervals, or of small sets.

Differs from textbooks: columns may be any terms, not only variables; what an assignment makes of them is found by
substitution. A condition refines the columns under operations that can be undone, from both sides of a comparison.

Invariants: either no column is empty, or all are, so that equal sets of states are equal values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol, Self, TypeVar, cast

from threadproof.domains.conditions import assume
from threadproof.domains.interface import Updates
from threadproof.smt.batch import ValueBatch
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import BOOL, BitVec, Op, Term, bitvec, in_order
from threadproof.smt.terms import Terms


class AbstractValue(Protocol):
    """A set of bit-vectors of one width; a Boolean is one bit."""

    @property
    def is_empty(self) -> bool: ...

    @property
    def value(self) -> int | None:
        """The only one there is."""
        ...

    def __contains__(self, value: int) -> bool: ...

    def join(self, other: Self) -> Self: ...

    def meet(self, other: Self) -> Self: ...

    def leq(self, other: Self) -> bool: ...


V = TypeVar("V", bound=AbstractValue)


class ValueDomain(Protocol[V]):
    def top(self, width: int) -> V: ...

    def bottom(self, width: int) -> V: ...

    def constant(self, value: int, width: int) -> V: ...

    def apply(self, term: Term, args: list[V]) -> V:
        """The values of an operation on bit-vectors; none of the operands is empty."""
        ...

    def less(self, op: Op, a: V, b: V) -> tuple[V, V]:
        """What is left of both where a < b (ULT or SLT)."""
        ...

    def without(self, a: V, value: int) -> V: ...

    def to_terms(self, terms: Terms, term: Term, value: V) -> list[Term]:
        """What says that the value of a bit-vector term is one of these."""
        ...


class StateBox(Generic[V]):
    def __init__(
        self, terms: Terms, values: ValueDomain[V], columns: tuple[Term, ...], known: tuple[V, ...] | None = None
    ) -> None:
        """Without `known`: all states."""
        self.terms = terms
        self.values = values
        self.columns = columns
        self.known = tuple(values.top(_width(column)) for column in columns) if known is None else known
        self._at = dict(zip(columns, self.known, strict=True))
        self._found: dict[Term, V | None] = dict(self._at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateBox):
            return False
        box = cast("StateBox[V]", other)
        return self.columns == box.columns and self.known == box.known

    def __hash__(self) -> int:
        return hash((self.columns, self.known))

    def __getitem__(self, column: Term) -> V:
        return self._at[column]

    def _with(self, known: tuple[V, ...]) -> StateBox[V]:
        if any(value.is_empty for value in known):
            known = tuple(self.values.bottom(_width(column)) for column in self.columns)
        return StateBox(self.terms, self.values, self.columns, known)

    # --- the lattice ------------------------------------------------------------------------------------------------

    def top(self) -> StateBox[V]:
        return StateBox(self.terms, self.values, self.columns)

    def bottom(self) -> StateBox[V]:
        return self._with(tuple(self.values.bottom(_width(column)) for column in self.columns))

    @property
    def is_bottom(self) -> bool:
        return any(value.is_empty for value in self.known)

    def join(self, other: StateBox[V]) -> StateBox[V]:
        return self._with(tuple(a.join(b) for a, b in zip(self.known, other.known, strict=True)))

    def meet(self, other: StateBox[V]) -> StateBox[V]:
        return self._with(tuple(a.meet(b) for a, b in zip(self.known, other.known, strict=True)))

    def leq(self, other: StateBox[V]) -> bool:
        return all(a.leq(b) for a, b in zip(self.known, other.known, strict=True))

    # --- states -----------------------------------------------------------------------------------------------------

    def admit(self, state: Assignment) -> StateBox[V]:
        point = (self.values.constant(state.number(column), _width(column)) for column in self.columns)
        return self.join(self._with(tuple(point)))

    def admit_all(self, states: ValueBatch) -> StateBox[V]:
        found = self
        for row in range(states.size):
            found = found.admit(states.assignment(row))
        return found

    def holds(self, state: Assignment) -> bool:
        return all(state.number(column) in value for column, value in self._at.items())

    def drop(self, claim: Term) -> StateBox[V]:
        """Without one of `to_terms`: the column it is about may be anything."""
        if claim.op is Op.FALSE:
            return self.top()
        about = [column for column in self.columns if claim in self._terms_of(column)]
        return self._with(tuple(self.values.top(_width(c)) if c in about else v for c, v in self._at.items()))

    def sharper(self, claim: Term, state: Assignment) -> Iterable[Term]:
        return ()

    # --- transformers -----------------------------------------------------------------------------------------------

    def assign(self, updates: Updates) -> StateBox[V]:
        if self.is_bottom:
            return self
        return self._with(tuple(self.evaluate(value) for value in self.terms.substitute(self.columns, updates)))

    def evaluate(self, term: Term) -> V:
        """The values of a bit-vector or Boolean term in these states (there are some)."""
        for part in in_order((term,), self._found):
            self._found[part] = self._value(part, [self._found[arg] for arg in part.args])
        found = self._found[term]
        assert found is not None, term
        return found

    def _value(self, part: Term, args: list[V | None]) -> V | None:
        """None of what is neither bit-vector nor Boolean."""
        if part.sort is not BOOL and not isinstance(part.sort, BitVec):
            return None
        operands = [arg for arg in args if arg is not None]
        match part.op:
            case Op.VALUE:
                return self.values.constant(part.value, part.width)
            case Op.TRUE | Op.FALSE:
                return self.values.constant(int(part.op is Op.TRUE), 1)
            case Op.VAR | Op.SELECT | Op.APPLY | Op.INT_TO_BV:
                return self.values.top(_width(part))
            case Op.NOT | Op.AND | Op.OR:
                return self._junction(part.op, operands)
            case Op.ITE:
                return self._choice(*operands)
            case _ if len(operands) == len(args):
                return self.values.apply(part, operands)
            case _:
                return self.values.top(_width(part))

    def _junction(self, op: Op, args: list[V]) -> V:
        truths = [arg.value for arg in args]
        if op is Op.NOT:
            return self.values.top(1) if truths[0] is None else self.values.constant(1 - truths[0], 1)
        absorbing = int(op is Op.OR)
        if absorbing in truths:
            return self.values.constant(absorbing, 1)
        return self.values.top(1) if None in truths else self.values.constant(1 - absorbing, 1)

    def _choice(self, condition: V, then: V, otherwise: V) -> V:
        match condition.value:
            case None:
                return then.join(otherwise)
            case truth:
                return then if truth else otherwise

    # --- conditions -------------------------------------------------------------------------------------------------

    def assume(self, condition: Term) -> StateBox[V]:
        return assume(self, condition, StateBox[V]._literal)

    def _literal(self, atom: Term, positive: bool) -> StateBox[V]:
        if self.evaluate(atom).value == int(not positive):
            return self.bottom()
        match atom.op:
            case Op.EQ if isinstance(atom.args[0].sort, BitVec):
                return self._equal(*atom.args) if positive else self._unequal(*atom.args)
            case Op.ULT | Op.SLT:
                return self._less(atom.op, *atom.args) if positive else self._at_most(atom.op, *reversed(atom.args))
            case _:
                return self._refined(atom, self.values.constant(int(positive), 1))

    def _equal(self, a: Term, b: Term) -> StateBox[V]:
        both = self.evaluate(a).meet(self.evaluate(b))
        return self._refined(a, both)._refined(b, both)

    def _unequal(self, a: Term, b: Term) -> StateBox[V]:
        result, x, y = self, self.evaluate(a), self.evaluate(b)
        if y.value is not None:
            result = result._refined(a, self.values.without(x, y.value))
        if x.value is not None:
            result = result._refined(b, self.values.without(y, x.value))
        return result

    def _less(self, op: Op, a: Term, b: Term) -> StateBox[V]:
        x, y = self.values.less(op, self.evaluate(a), self.evaluate(b))
        return self._refined(a, x)._refined(b, y)

    def _at_most(self, op: Op, a: Term, b: Term) -> StateBox[V]:
        x, y = self.evaluate(a), self.evaluate(b)
        less_x, less_y = self.values.less(op, x, y)
        equal = x.meet(y)
        return self._refined(a, less_x.join(equal))._refined(b, less_y.join(equal))

    def _refined(self, term: Term, value: V) -> StateBox[V]:
        """Only the states in which the term has one of these values, as far as its operations can be undone."""
        while not self.is_bottom:
            if value.is_empty:
                return self.bottom()
            if term in self._at:
                return self._with(tuple(v.meet(value) if c is term else v for c, v in self._at.items()))
            inverse = self._undone(term, value)
            if inverse is None:
                return self
            term, value = inverse
            value = value.meet(self.evaluate(term))
        return self

    def _undone(self, term: Term, value: V) -> tuple[Term, V] | None:
        """The operand that can be computed from the result, and its values."""
        match term.op, term.args:
            case ((Op.ADD | Op.BVXOR), (a, Term(op=Op.VALUE) as constant)):
                back = Op.SUB if term.op is Op.ADD else Op.BVXOR
                return a, self._apply(back, [value, self.evaluate(constant)], (term, constant))
            case Op.SUB, (Term(op=Op.VALUE) as constant, a):
                return a, self._apply(Op.SUB, [self.evaluate(constant), value], (constant, term))
            case ((Op.NEG | Op.BVNOT), (a,)):
                return a, self._apply(term.op, [value], (term,))
            case ((Op.ZEXT | Op.SEXT), (a,)):
                image = value.meet(self.evaluate(term))
                if image.is_empty:
                    return a, self.values.bottom(a.width)
                return a, self._apply(Op.EXTRACT, [image], (term,), (a.width - 1, 0), a.width)
            case _:
                return None

    def _apply(
        self, op: Op, args: list[V], of: tuple[Term, ...], params: tuple[int, ...] = (), width: int | None = None
    ) -> V:
        """An operation that nobody wrote down."""
        return self.values.apply(Term(op, of, params, bitvec(width or of[0].width), -1), args)

    # --- as terms ---------------------------------------------------------------------------------------------------

    def to_terms(self) -> list[Term]:
        if self.is_bottom:
            return [self.terms.false]
        return [term for column in self.columns for term in self._terms_of(column)]

    def _terms_of(self, column: Term) -> list[Term]:
        value = self._at[column]
        if column.sort is not BOOL:
            return self.values.to_terms(self.terms, column, value)
        return [] if value.value is None else [column if value.value else self.terms.not_(column)]


def _width(term: Term) -> int:
    return term.sort.width if isinstance(term.sort, BitVec) else 1
