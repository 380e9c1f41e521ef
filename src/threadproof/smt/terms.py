"""The maker of terms: hash-consing, and cheap simplification where terms are put together.

A term is looked up before it is made, so what is equal is shared, and simplified (`rules_bool`, `rules_bits`) before
it is kept, so what folds never reaches a solver. `Rewriting.NONE` keeps terms as written: the yardstick of the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from weakref import ref

from threadproof.core.errors import InternalError
from threadproof.smt.rules import simplified
from threadproof.smt.sorts import sort_of
from threadproof.smt.term import BOOL, INT, Op, Params, Sort, Term, bitvec, in_order

_MANY = 50_000  # terms that are not worth a look


class Rewriting(Enum):
    NONE = "none"
    CHEAP = "cheap"


class Terms:
    def __init__(self, rewriting: Rewriting = Rewriting.CHEAP) -> None:
        self._known: dict[tuple[Op, tuple[Term, ...], Params], Term] = {}
        self._sorts: dict[str, Sort] = {}
        self._made = 0
        self._left = 0  # after the last look for unused terms
        self._simplify = rewriting is Rewriting.CHEAP
        self.true: Term = self.make(Op.TRUE, ())
        self.false: Term = self.make(Op.FALSE, ())

    def __len__(self) -> int:
        """Number of terms made."""
        return self._made

    def make(self, op: Op, args: tuple[Term, ...], params: Params = ()) -> Term:
        key = (op, args, params)
        found = self._known.get(key)
        if found is None:
            sort = self._sorts[str(params[0])] if op is Op.VAR else sort_of(op, args, params)
            found = simplified(self, op, args, params) if self._simplify and args else None
            if found is None:
                found = Term(op, args, params, sort, self._made)
                self._made += 1
            self._known[key] = found
        return found

    def forget_unused(self) -> int:
        """Terms that nobody holds go; how many. What is held stays the one of its kind."""
        before = len(self._known)
        held = [ref(term) for term in set(self._known.values())]
        self._known = {}
        for reference in held:
            term = reference()
            if term is not None:
                self._known[term.op, term.args, term.params] = term
        self._left = len(self._known)
        return before - self._left

    def tidy(self) -> None:
        """`forget_unused` now and then: when there are more than twice as many as the last time left."""
        if len(self._known) > 2 * self._left + _MANY:
            self.forget_unused()

    # --- leaves -----------------------------------------------------------------------------------------------------

    def var(self, name: str, sort: Sort) -> Term:
        if self._sorts.setdefault(name, sort) != sort:
            raise InternalError(f"the variable {name} has two sorts: {self._sorts[name]} and {sort}")
        return self.make(Op.VAR, (), (name,))

    def bv_var(self, name: str, width: int) -> Term:
        return self.var(name, bitvec(width))

    def bool_var(self, name: str) -> Term:
        return self.var(name, BOOL)

    def bv(self, value: int, width: int) -> Term:
        """The number modulo 2**width."""
        return self.make(Op.VALUE, (), (value & ((1 << width) - 1), width))

    def int_var(self, name: str) -> Term:
        return self.var(name, INT)

    def integer(self, value: int) -> Term:
        return self.make(Op.INTEGER, (), (value,))

    def bool(self, value: bool) -> Term:
        return self.true if value else self.false

    def fill(self, value: Term, index_width: int) -> Term:
        """The array that holds `value` everywhere."""
        return self.make(Op.FILL, (value,), (index_width,))

    # --- Booleans ---------------------------------------------------------------------------------------------------

    def not_(self, a: Term) -> Term:
        return self.make(Op.NOT, (a,))

    def and_(self, *args: Term) -> Term:
        return self.all(args)

    def or_(self, *args: Term) -> Term:
        return self.any(args)

    def all(self, args: Iterable[Term]) -> Term:
        parts = tuple(args)
        return self.make(Op.AND, parts) if len(parts) > 1 else parts[0] if parts else self.true

    def any(self, args: Iterable[Term]) -> Term:
        parts = tuple(args)
        return self.make(Op.OR, parts) if len(parts) > 1 else parts[0] if parts else self.false

    def implies(self, a: Term, b: Term) -> Term:
        return self.make(Op.OR, (self.not_(a), b))

    def eq(self, a: Term, b: Term) -> Term:
        return self.make(Op.EQ, (a, b))

    def ne(self, a: Term, b: Term) -> Term:
        return self.not_(self.make(Op.EQ, (a, b)))

    def distinct(self, args: Iterable[Term]) -> Term:
        parts = tuple(args)
        return self.all(self.ne(a, b) for i, a in enumerate(parts) for b in parts[:i])

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        return self.make(Op.ITE, (condition, then, otherwise))

    # --- bit-vectors: other binary operations are `make(Op.ADD, (a, b))` --------------------------------------------

    def add(self, a: Term, b: Term) -> Term:
        return self.make(Op.ADD, (a, b))

    def sub(self, a: Term, b: Term) -> Term:
        return self.make(Op.SUB, (a, b))

    def ult(self, a: Term, b: Term) -> Term:
        return self.make(Op.ULT, (a, b))

    def ule(self, a: Term, b: Term) -> Term:
        return self.not_(self.make(Op.ULT, (b, a)))

    def slt(self, a: Term, b: Term) -> Term:
        return self.make(Op.SLT, (a, b))

    def sle(self, a: Term, b: Term) -> Term:
        return self.not_(self.make(Op.SLT, (b, a)))

    def concat(self, high: Term, low: Term) -> Term:
        return self.make(Op.CONCAT, (high, low))

    def extract(self, a: Term, high: int, low: int) -> Term:
        """Bits `low` to `high`, both included."""
        return self.make(Op.EXTRACT, (a,), (high, low))

    def zext(self, a: Term, width: int) -> Term:
        """`a` as an unsigned number of `width` bits."""
        return self.make(Op.ZEXT, (a,), (width - a.width,))

    def sext(self, a: Term, width: int) -> Term:
        return self.make(Op.SEXT, (a,), (width - a.width,))

    # --- arrays -----------------------------------------------------------------------------------------------------

    def select(self, array: Term, index: Term) -> Term:
        return self.make(Op.SELECT, (array, index))

    def store(self, array: Term, index: Term, value: Term) -> Term:
        return self.make(Op.STORE, (array, index, value))

    # --- integers and functions: z3 only; other operations are `make(Op.INT_ADD, (a, b))` -----------------------------

    def less(self, a: Term, b: Term) -> Term:
        return self.make(Op.INT_LT, (a, b))

    def at_most(self, a: Term, b: Term) -> Term:
        return self.not_(self.make(Op.INT_LT, (b, a)))

    def total(self, args: Iterable[Term]) -> Term:
        """The sum of integers."""
        result = self.integer(0)
        for arg in args:
            result = self.make(Op.INT_ADD, (result, arg))
        return result

    def apply(self, function: Term, *args: Term) -> Term:
        return self.make(Op.APPLY, (function, *args))

    # --- whole terms ------------------------------------------------------------------------------------------------

    def substitute(self, roots: Iterable[Term], replace: Mapping[Term, Term]) -> list[Term]:
        """The terms with some of their parts replaced, simplified on the way up."""
        return self.replaced(roots, dict(replace))

    def replaced(self, roots: Iterable[Term], done: dict[Term, Term]) -> list[Term]:
        """`substitute` that notes in `done` what became of every part, for the next call."""
        wanted = list(roots)
        for term in in_order(wanted, done):
            args = tuple([done[arg] for arg in term.args])
            done[term] = term if args == term.args else self.make(term.op, args, term.params)
        return [done[term] for term in wanted]
