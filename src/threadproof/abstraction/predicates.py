"""The unifier: one object per predicate up to equivalence, numbered; conjunctions are bit sets of numbers.

Two formulas become one predicate if they are the same in normal form, or if a solver says that they are equivalent; it
is asked only if they hold in the same samples. A formula that cannot hold is `false`, one that always holds is `true`,
so whoever searches may compare with these two. Implications are found out when they are asked for, and kept as bit
sets.

Paper: M. Heizmann, J. Hoenicke, A. Podelski, Refinement of Trace Abstraction, SAS 2009, and PredicateUnifier of
Ultimate. Differs: implications are lazy; conjunctions are sets and are not made predicates.
Invariants: `implies`, `implied_by`, `contradicts` hold only what was proved; `unsure` is never read as an answer.

Stable: `Predicates.unify`, `conjunction`, `term`, `members`, `implies`, `entails`, `consistent`; fields of
`Predicate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from threadproof.abstraction.normal import normal
from threadproof.abstraction.samples import ALL, Samples
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.solver import Outcome, Sat, Undecided, Unsat
from threadproof.smt.term import Term, variables

TRUE, FALSE = 0, 1
"""The numbers of the two constants. As a conjunction, true is the empty set, and false the set of `FALSE` alone."""
NOTHING, CONTRADICTION = 0, 1 << FALSE

_MOST_CONJUNCTIONS = 20_000


@dataclass(slots=True, eq=False)
class Predicate:
    number: int
    term: Term
    variables: frozenset[Term]
    signature: int  # samples in which it holds
    intricate: bool  # the solver could not tell whether it is false or valid: it is compared with no other
    implies: int = 0  # bit sets of numbers, only what is known; itself included
    implied_by: int = 0
    contradicts: int = 0
    unlike: int = 0  # does not imply these

    @property
    def bit(self) -> int:
        return 1 << self.number

    def __str__(self) -> str:
        return f"p{self.number}"


class Predicates:
    """Over the terms of a context. `seconds` is for each question to the solver."""

    def __init__(self, context: Context, seconds: float = 0.5) -> None:
        self.terms = context.terms
        self.context = context
        self.samples = Samples()
        self._seconds = seconds
        self._all: list[Predicate] = []
        self._by_term: dict[Term, Predicate] = {}
        self._by_signature: dict[int, list[Predicate]] = {}
        self._consistent: dict[int, bool | None] = {}
        self._entailed: dict[tuple[int, int], bool | None] = {}
        self.true = self._add(self.terms.true, intricate=False)
        self.false = self._add(self.terms.false, intricate=False)
        self.false.implies |= self.true.bit

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> Predicate:
        return self._all[number]

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self._all)

    # --- making ------------------------------------------------------------------------------------------------------

    def unify(self, term: Term) -> Predicate:
        """The predicate of a formula. Conjunctions are better split: `conjunction`."""
        found = self.known(term)
        if found is None:
            found = self._by_term[normal(self.terms, term)] = self._unified(normal(self.terms, term))
        return found

    def known(self, term: Term) -> Predicate | None:
        """The predicate of a formula that was unified before, in this normal form."""
        return self._by_term.get(term) or self._by_term.get(normal(self.terms, term))

    def conjunction(self, formulas: Iterable[Term]) -> int:
        """The bit set of all their conjuncts. One that cannot hold is `CONTRADICTION` (unless the solver gave up)."""
        found = NOTHING
        for formula in formulas:
            for conjunct in conjuncts(formula):
                found |= self.unify(conjunct).bit
        return CONTRADICTION if self.consistent(found) is False else self.normal(found)

    def normal(self, bits: int) -> int:
        """Without `true`; with `false`, nothing else. Only contradictions of pairs are looked for, among known ones."""
        bits &= ~(1 << TRUE)
        if bits & CONTRADICTION or any(one.contradicts & bits for one in self.members(bits)):
            return CONTRADICTION
        return bits

    def _unified(self, term: Term) -> Predicate:
        signature = self.samples.signature(term)
        if not signature or signature == ALL:
            outcome = self._ask(self.terms.not_(term) if signature else term)
            if isinstance(outcome, Unsat):
                return self.true if signature else self.false
            if isinstance(outcome, Undecided):
                return self._add(term, intricate=True)
        for other in self._by_signature.get(signature, ()):
            if not other.intricate and self._equivalent(term, other):
                return other
        return self._add(term, intricate=False)

    def _equivalent(self, term: Term, other: Predicate) -> bool:
        mine = set(variables([term]))
        if mine.isdisjoint(other.variables):
            return False  # neither is a constant
        different = self.terms.not_(self.terms.eq(term, other.term))
        return isinstance(self._ask(different), Unsat)

    def _add(self, term: Term, *, intricate: bool) -> Predicate:
        number = len(self._all)
        signature = self.samples.signature(term)
        found = Predicate(number, term, frozenset(variables([term])), signature, intricate)
        found.implies = found.implied_by = found.bit
        if number > FALSE:
            found.implies |= self.true.bit
        self._all.append(found)
        self._by_term[term] = found
        self._by_signature.setdefault(signature, []).append(found)
        opposite = self._by_term.get(self.terms.not_(term))
        if opposite is not None and opposite.number > FALSE:
            self._exclude(found, opposite)
        return found

    def _ask(self, *formulas: Term) -> Outcome:
        return self.context.check(formulas, self._seconds)

    # --- conjunctions ------------------------------------------------------------------------------------------------

    def members(self, bits: int) -> Iterator[Predicate]:
        """The predicates of a bit set, by number."""
        while bits:
            low = bits & -bits
            yield self._all[low.bit_length() - 1]
            bits ^= low

    def terms_of(self, bits: int) -> list[Term]:
        return [one.term for one in self.members(bits)]

    def term(self, bits: int) -> Term:
        """A conjunction as a formula."""
        return self.terms.all(self.terms_of(bits))

    def closure(self, bits: int) -> int:
        """All that is known to follow from one of its members."""
        found = bits
        for one in self.members(bits):
            found |= one.implies
        return found

    def consistent(self, bits: int) -> bool | None:
        """Whether a conjunction can hold; None: not decided."""
        bits = self.normal(bits)
        if bits in (CONTRADICTION, NOTHING):
            return bits == NOTHING
        if self.signature(bits):
            return True
        if bits not in self._consistent:
            outcome = self._ask(*self.terms_of(bits))
            answer = None if isinstance(outcome, Undecided) else isinstance(outcome, Sat)
            _keep(self._consistent, bits, answer)
            pair = list(self.members(bits))
            if answer is False and len(pair) == 2:
                self._exclude(*pair)
        return self._consistent[bits]

    def signature(self, bits: int) -> int:
        found = ALL
        for one in self.members(bits):
            found &= one.signature
        return found

    def entails(self, bits: int, wanted: int) -> bool | None:
        """Whether the conjunction `bits` implies the conjunction `wanted`; None: not decided."""
        bits, wanted = self.normal(bits), self.normal(wanted)
        missing = wanted & ~self.closure(bits)
        if bits == CONTRADICTION or not missing:
            return True
        answers = [self._entails_one(bits, one) for one in self.members(missing)]
        return False if False in answers else None if None in answers else True

    def _entails_one(self, bits: int, wanted: Predicate) -> bool | None:
        if self.signature(bits) & ~wanted.signature:
            return False
        key = (bits, wanted.number)
        if key not in self._entailed:
            _keep(self._entailed, key, self._entailment(bits, wanted))
        return self._entailed[key]

    def _entailment(self, bits: int, wanted: Predicate) -> bool | None:
        if bits.bit_count() == 1:
            return self.implies(self._all[bits.bit_length() - 1], wanted)
        outcome = self._ask(*self.terms_of(bits), self.terms.not_(wanted.term))
        return None if isinstance(outcome, Undecided) else isinstance(outcome, Unsat)

    # --- pairs -------------------------------------------------------------------------------------------------------

    def implies(self, a: Predicate, b: Predicate) -> bool | None:
        """Whether `b` holds wherever `a` does; None: not decided."""
        if a.implies & b.bit or a is self.false or b is self.true:
            return True
        if a.unlike & b.bit or a.signature & ~b.signature or self._apart(a, b):
            return False
        outcome = self._ask(a.term, self.terms.not_(b.term))
        match outcome:
            case Unsat():
                self._imply(a, b)
                return True
            case Sat():
                a.unlike |= b.bit
                return False
            case Undecided():
                return None

    def contradict(self, a: Predicate, b: Predicate) -> bool | None:
        """Whether they cannot hold together; None: not decided."""
        if a.contradicts & b.bit:
            return True
        known = self.consistent(a.bit | b.bit)
        return None if known is None else not known

    def _apart(self, a: Predicate, b: Predicate) -> bool:
        """Nothing in common: neither is a constant, so none follows from the other."""
        return not (a.intricate or b.intricate) and a.variables.isdisjoint(b.variables)

    def _imply(self, a: Predicate, b: Predicate) -> None:
        """With all that follows from it."""
        above, below = b.implies, a.implied_by
        for one in self.members(below):
            one.implies |= above
        for one in self.members(above):
            one.implied_by |= below
        for other in self.members(b.contradicts):
            self._exclude(a, other)

    def _exclude(self, a: Predicate, b: Predicate) -> None:
        for one in self.members(a.implied_by):
            for other in self.members(b.implied_by):
                one.contradicts |= other.bit
                other.contradicts |= one.bit


_Key = TypeVar("_Key")


def _keep(known: dict[_Key, bool | None], key: _Key, answer: bool | None) -> None:
    """Answers can be found again: what is remembered is bounded."""
    if len(known) >= _MOST_CONJUNCTIONS:
        known.clear()
    known[key] = answer
