"""Formulas of transitions for Horn clauses: integers instead of bit-vectors, truth values instead of handles.

Spacer calculates with integers far better than with bits, and who holds a lock is a matter of a few cases. So a number
is the integer that its bits are, wrapped around where it has to be; whether a lock is free, or a thread's, is a truth
value of its own, with what follows from equality. What has no such form (elements of arrays, products, floats) may be
anything: clauses say less of a step then, never more, and whoever solves them has solved the true ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.integers import Integers, NoIntegers, Signedness
from threadproof.smt.integers_as_bits import as_bits
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order, variables
from threadproof.thread_modular.locks import ways

Pair = frozenset[Term]


class HornWords:
    """`locks` are words whose value is the handle of who holds them, 0 if nobody does."""

    def __init__(self, any_number: AnyNumber, locks: Collection[Term], sign: Signedness) -> None:
        self._any = any_number
        self._terms = any_number.terms
        self._sign = sign
        self._integers = Integers(self._terms, lambda variable: sign)
        self._locks = frozenset(locks)
        self._handles = frozenset(thread.handle for thread in any_number.space.threads.values())
        self._cells = {holder: cell for cell, holder in any_number.ghosts.holders.items()}
        self._same: dict[Pair, Term] = {}
        self._anything: dict[Term, Term] = {}

    def parameter(self, column: Term) -> Term:
        """A variable that stands for a number or a condition."""
        if column.sort is BOOL:
            return column if column.op is Op.VAR else self._terms.bool_var(f"holds {column.id}")
        return self._integers.number(column, self._sign)

    def of(self, term: Term) -> Term:
        """Of a number or a condition."""
        found = self._without_handles(term)
        try:
            if not self._knows(found):
                return self._unknown(term)
            whole = found.sort is BOOL
            written = self._integers.formula(found) if whole else self._integers.number(found, self._sign)
        except NoIntegers:
            return self._unknown(term)
        return self._without_functions(written)

    def assumed(self, condition: Term) -> Term:
        """What is known of a condition that holds: perhaps nothing."""
        found = self.of(condition)
        return self._terms.true if found.op is Op.VAR and found.name.startswith(_ANYTHING) else found

    def in_bits(self, formula: Term) -> Term:
        """What is said of parameters, said of the numbers. Raises NoBits."""
        return as_bits(self._integers, formula)

    def ranges(self, names: Collection[Term]) -> list[Term]:
        """Between what bounds these integers are."""
        known = frozenset(names)
        facts = (self._without_functions(fact) for fact in self._integers.facts)
        return [fact for fact in facts if known.issuperset(variables([fact]))]

    # --- handles -----------------------------------------------------------------------------------------------------

    def _knows(self, formula: Term) -> bool:
        return self._handles.isdisjoint(variables([formula]))

    def _without_handles(self, formula: Term) -> Term:
        """With a truth value for each comparison of handles; conditions in it may compare more of them."""
        while True:
            compared = {
                part: self._equal(*part.args)
                for part in in_order([formula])
                if part.op is Op.EQ and isinstance(part.args[0].sort, BitVec) and self._of_handles(part)
            }
            if not compared:
                return formula
            [formula] = self._terms.substitute([formula], compared)

    def _of_handles(self, comparison: Term) -> bool:
        leaves = {leaf for side in comparison.args for leaf in ways(side)}
        others = [one for one in leaves if one.op is not Op.VALUE and one not in self._handles | self._locks]
        return not self._locks.isdisjoint(leaves) or (not self._handles.isdisjoint(leaves) and not others)

    def _equal(self, a: Term, b: Term) -> Term:
        terms = self._terms
        for one, other in ((a, b), (b, a)):
            if one.op is Op.ITE:
                condition, then, otherwise = one.args
                return terms.ite(condition, self._equal(then, other), self._equal(otherwise, other))
        if a is b or (a.op is Op.VALUE and b.op is Op.VALUE):
            return terms.bool(a is b)
        for one, other in ((a, b), (b, a)):
            if one in self._cells and other.op is Op.VALUE and not other.value:
                cell = self._cells[one]  # of a lock made by hand: nobody holds it if it has its first value
                return terms.eq(cell, terms.bv(self._any.ghosts.first(cell) or 0, cell.width))
        return self._same.setdefault(frozenset((a, b)), terms.bool_var(f"same {min(a.id, b.id)} {max(a.id, b.id)}"))

    def equality(self, names: Collection[Term]) -> Iterator[Term]:
        """What follows from each other of these comparisons of handles."""
        terms, pairs = self._terms, {pair: same for pair, same in self._same.items() if same in names}

        def same(a: Term, b: Term) -> Term | None:
            if a.op is Op.VALUE and b.op is Op.VALUE:
                return terms.false
            return pairs.get(frozenset((a, b)))

        compared = sorted({one for pair in pairs for one in pair}, key=lambda one: one.id)
        for a, b, c in combinations(compared, 3):
            three = (same(a, b), same(b, c), same(a, c))
            for one, other, third in (three, three[1:] + three[:1], three[2:] + three[:2]):
                if one is not None and other is not None and third is not None:
                    yield terms.implies(terms.and_(one, other), third)

    # --- what has no form --------------------------------------------------------------------------------------------

    def _unknown(self, term: Term) -> Term:
        name = f"{_ANYTHING}{term.id}"
        if term.sort is BOOL:
            return self._terms.bool_var(name)
        assert isinstance(term.sort, BitVec)
        return self._integers.number(self._terms.bv_var(name, term.width), self._sign)

    def _without_functions(self, formula: Term) -> Term:
        """What functions without a meaning give may be anything, the same for the same arguments."""
        calls = [part for part in in_order([formula]) if part.op is Op.APPLY]
        for call in calls:
            self._anything.setdefault(call, self._terms.int_var(f"{_ANYTHING}{call.id}"))
        return self._terms.substitute([formula], self._anything)[0] if calls else formula


_ANYTHING = "anything "
