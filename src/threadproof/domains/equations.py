"""Linear equations between bit-vectors of one width: the affine subsets of (Z/2**width)**n.

Paper: Müller-Olm and Seidl, "Analysis of modular arithmetic", TOPLAS 2007; King and Søndergaard, "Inferring
congruence equations using SAT", CAV 2008 (weakening by models); Elder et al., TOPLAS 2014 (as modules of equations,
`howell`).

Differs: columns may be any terms (an array read, a choice), not only variables: what an assignment makes of them is
found by substitution.

Invariants: `rows` are in Howell normal form, coefficients of the columns and last the constant; each row is 0 in
every state. All rows that are 0 in these states are combinations of them, so equal sets have equal rows. Of no state
every row is true, so `bottom` is the unit matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from threadproof.core.errors import InternalError
from threadproof.domains.affine import ONE, Affine, Sum, equation, plus
from threadproof.domains.conditions import assume
from threadproof.domains.howell import (
    Matrix,
    complement,
    contains,
    howell,
    intersection,
    leading,
    matrix,
    vanishing,
    without,
)
from threadproof.domains.interface import Updates
from threadproof.smt.batch import ValueBatch
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import BitVec, Op, Term
from threadproof.smt.terms import Terms

_WINDOWS = (0, 3, 63)  # bits above the lowest one in which an equation is to be wrong: asked for one after the other
_CASES = 3  # choices in an assignment that are taken one by one; the others are unknown


class Equations:
    def __init__(self, terms: Terms, columns: tuple[Term, ...], rows: Matrix | None = None) -> None:
        """Without `rows`: all states."""
        widths = {column.sort for column in columns}
        if len(widths) != 1 or not all(isinstance(sort, BitVec) and sort.width <= 64 for sort in widths):
            raise InternalError("equations are between bit-vectors of one width, of at most 64 bits")
        self.terms = terms
        self.columns = columns
        self.width = columns[0].width
        self.rows = np.zeros((0, len(columns) + 1), dtype=np.uint64) if rows is None else rows
        self._affine = Affine({column: index for index, column in enumerate(columns)}, self.width)

    # --- the lattice ------------------------------------------------------------------------------------------------

    def top(self) -> Equations:
        return Equations(self.terms, self.columns)

    def bottom(self) -> Equations:
        return self._with(np.eye(len(self.columns) + 1, dtype=np.uint64))

    @property
    def is_bottom(self) -> bool:
        return len(self.rows) == len(self.columns) + 1 and bool(self.rows[-1, -1] == 1)

    def join(self, other: Equations) -> Equations:
        """What is 0 in both: the least affine set that includes them."""
        if self.is_bottom or other.is_bottom:
            return other if self.is_bottom else self
        return self._with(intersection(self.rows, other.rows, self.width))

    def meet(self, other: Equations) -> Equations:
        return self._settled(np.vstack((self.rows, other.rows)))

    def leq(self, other: Equations) -> bool:
        return contains(self.rows, other.rows, self.width)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equations) and self.columns == other.columns and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash((self.columns, self.rows.tobytes()))

    # --- states -----------------------------------------------------------------------------------------------------

    def admit(self, state: Assignment) -> Equations:
        return self._with(vanishing(self.rows, self._point(state), self.width))

    def holds(self, state: Assignment) -> bool:
        return not ((self.rows @ self._point(state)) & np.uint64((1 << self.width) - 1)).any()

    def admit_all(self, states: ValueBatch) -> Equations:
        """States that violate most go first."""
        mask = np.uint64((1 << self.width) - 1)
        points = np.stack([*(states.numbers(column) for column in self.columns), np.ones(states.size, dtype=np.uint64)])
        rows = self.rows
        while True:
            wrong = (rows @ points) & mask
            lowest = wrong & (~wrong + np.uint64(1))
            if not lowest.any():
                return self if rows is self.rows else self._with(rows)
            least = np.where(lowest == 0, np.iinfo(np.uint64).max, lowest).min(axis=0)
            rows = vanishing(rows, points[:, int(least.argmin())], self.width)

    def directions(self, count: int, random: np.random.Generator) -> Matrix:
        """In which states may be moved without leaving the value: a vector for each column, an entry for each of
        `count` drawn directions. Most columns stay, but for those that have to follow others."""
        size, mask = len(self.columns), np.uint64((1 << self.width) - 1)
        found = _steps((size, count), random) & mask
        for row, column in reversed(list(zip(self.rows, leading(self.rows), strict=True))):
            if column < size:  # the Howell property: the sum is divisible by the pivot
                rest = (row[column + 1 : size] @ found[column + 1 :]) & mask
                free = found[column] * complement(int(row[column]), self.width)
                found[column] = (free - rest // row[column]) & mask
        return found

    def _point(self, state: Assignment) -> Matrix:
        return np.array([*(state.number(column) for column in self.columns), 1], dtype=np.uint64)

    # --- transformers -----------------------------------------------------------------------------------------------

    def assign(self, updates: Updates) -> Equations:
        if self.is_bottom:
            return self
        return self._assign(self.terms.substitute(self.columns, updates), _CASES)

    def _assign(self, after: Sequence[Term], cases: int) -> Equations:
        """The columns get these values. A choice is taken both ways, with what its condition says."""
        choice = next((value for value in after if value.op is Op.ITE), None)
        if choice is not None and cases:
            condition, *ways = choice.args
            conditions = (condition, self.terms.not_(condition))
            taken = [
                self.assume(given)._assign(self.terms.substitute(after, {choice: way}), cases - 1)
                for given, way in zip(conditions, ways, strict=True)
            ]
            return taken[0].join(taken[1])
        sums = [self._affine.of(value) for value in after]
        return self._moved(sums)

    def _moved(self, sums: Sequence[Sum | None]) -> Equations:
        """Old columns first and then the new ones: what holds without the old ones holds afterwards."""
        if self.is_bottom:
            return self
        size = len(self.columns)
        kept = [index for index in range(size) if sums[index] == {index: 1}]
        gone = [index for index in range(size) if index not in kept]
        if not gone:
            return self
        place = {index: where for where, index in enumerate([*gone, *kept])}
        old = np.zeros((len(self.rows), size + len(gone) + 1), dtype=np.uint64)
        old[:, [place[index] for index in range(size)]] = self.rows[:, :-1]
        old[:, -1] = self.rows[:, -1]
        fresh = [index for index in gone if sums[index] is not None]
        defined: list[list[int]] = []
        for index in fresh:
            row = [0] * old.shape[1]
            for column, coefficient in (sums[index] or {}).items():
                row[-1 if column == ONE else place[column]] = coefficient
            row[size + gone.index(index)] -= 1
            defined.append(row)
        form = howell(np.vstack((old, matrix(defined, old.shape[1], self.width))), self.width)
        rows = without(form, len(gone))
        result = np.zeros((len(rows), size + 1), dtype=np.uint64)
        result[:, [*kept, *gone]] = rows[:, :-1]
        result[:, -1] = rows[:, -1]
        return self._settled(result)

    def forget(self, columns: Iterable[Term]) -> Equations:
        """What is known when these may be anything."""
        unknown = set(columns)
        return self._moved([None if column in unknown else {i: 1} for i, column in enumerate(self.columns)])

    def onto(self, columns: tuple[Term, ...]) -> Equations:
        """The same over other columns: exact for those that stay, nothing for new ones."""
        known = self.forget(set(self.columns) - set(columns))
        result = Equations(self.terms, columns)
        if self.is_bottom:
            return result.bottom()
        rows = np.zeros((len(known.rows), len(columns) + 1), dtype=np.uint64)
        for index, column in enumerate(self.columns):
            if column in columns:
                rows[:, columns.index(column)] = known.rows[:, index]
        rows[:, -1] = known.rows[:, -1]
        return result._settled(rows)

    # --- conditions -------------------------------------------------------------------------------------------------

    def assume(self, condition: Term) -> Equations:
        return assume(self, condition, Equations._literal)

    def _literal(self, atom: Term, positive: bool) -> Equations:
        """Only equations say something; of other comparisons it is enough to see that both sides are equal."""
        match atom.op:
            case Op.EQ if positive:
                row = self._difference(*atom.args)
                return self if row is None else self._settled(np.vstack((self.rows, row)))
            case Op.EQ:
                return self.bottom() if self._are_equal(*atom.args) else self
            case Op.ULT | Op.SLT if positive:
                return self.bottom() if self._are_equal(*atom.args) else self
            case _:
                return self

    def entails(self, condition: Term) -> bool:
        """Whether an equation (or a conjunction of them) holds in all states. Only `True` is certain."""
        if self.is_bottom or condition.op is Op.TRUE:
            return True
        if condition.op is Op.AND:
            return all(self.entails(part) for part in condition.args)
        return condition.op is Op.EQ and self._are_equal(*condition.args)

    def _are_equal(self, a: Term, b: Term) -> bool:
        row = self._difference(a, b) if _as_wide(a, b) else None
        return row is not None and contains(self.rows, row, self.width)

    def _difference(self, a: Term, b: Term) -> Matrix | None:
        """A row that is 0 where both are equal (and only there, if they are `_as_wide`)."""
        if not isinstance(a.sort, BitVec):
            return None
        (left, a_bits), (right, b_bits) = _low_bits(a), _low_bits(b)
        bits = min(a_bits, b_bits)
        x, y = self._sum(left), self._sum(right)
        if x is None or y is None or bits > self.width:
            return None
        row = self._row(plus(x, y, -1))
        return (row * np.uint64((1 << (self.width - bits)) & ((1 << 64) - 1))) & np.uint64((1 << self.width) - 1)

    def _sum(self, term: Term) -> Sum | None:
        return {ONE: term.value} if term.op is Op.VALUE else self._affine.of(term)

    def _row(self, row: Sum) -> Matrix:
        entries = [row.get(index, 0) for index in range(len(self.columns))]
        return matrix([[*entries, row.get(ONE, 0)]], len(self.columns) + 1, self.width)

    # --- as terms ---------------------------------------------------------------------------------------------------

    def to_terms(self) -> list[Term]:
        return [self.terms.false] if self.is_bottom else [self._equation(row) for row in self.rows]

    def _equation(self, row: Matrix) -> Term:
        return equation(self.terms, dict(enumerate(self.columns)), _as_sum(row), self.width)

    def drop(self, claim: Term) -> Equations:
        """Without one of `to_terms`, and without others that it follows from: twice a row is a row, too."""
        if claim.op is Op.FALSE:
            return self.top()
        dropped = [row for row in self.rows if self._equation(row) is claim]
        result = self.top()
        for row in self.rows:
            more = self._settled(np.vstack((result.rows, row)))
            if not any(contains(more.rows, one[None, :], self.width) for one in dropped):
                result = more
        return result

    def sharper(self, claim: Term, state: Assignment) -> Iterable[Term]:
        """An equation that is wrong by an even number still holds twice, or four times."""
        if claim.op is not Op.EQ or claim.args[0].sort != self.columns[0].sort or state.holds(claim):
            return
        row = next((row for row in self.rows if self._equation(row) is claim), None)
        if row is not None:
            lowest = min(_twos(int(one)) for one in row if one)
            difference = self.terms.sub(*claim.args)
            highest = _twos(state.number(difference)) - 1
            for high in sorted({min(lowest + bits, highest) for bits in _WINDOWS}):
                if high >= lowest:
                    low_bits = self.terms.extract(difference, high, lowest)
                    yield self.terms.not_(self.terms.eq(low_bits, self.terms.bv(0, low_bits.width)))

    def constant(self, column: Term) -> int | None:
        """The value that a column has in all states."""
        alone = self.onto((column,))
        if alone.is_bottom or not len(alone.rows) or alone.rows[0, 0] != 1:
            return None
        return -int(alone.rows[0, 1]) & ((1 << self.width) - 1)

    def _with(self, rows: Matrix) -> Equations:
        return Equations(self.terms, self.columns, rows)

    def _settled(self, rows: Matrix) -> Equations:
        """In normal form. A row without columns and with a constant that is not 0 has no solution."""
        form = howell(rows, self.width)
        impossible = len(form) and not form[-1, :-1].any()
        return self.bottom() if impossible else self._with(form)


def _steps(shape: tuple[int, int], random: np.random.Generator) -> Matrix:
    """Mostly none, then small ones to both sides, sometimes any; how many differs from one direction to the next."""
    moved = random.random(shape) < random.choice((0.05, 0.2, 0.5), shape[1])
    small = random.integers(-3, 4, shape)
    large = random.integers(-(1 << 62), 1 << 62, shape)
    steps = np.where(random.random(shape) < 0.9, small, large)
    return np.where(moved, steps, 0).astype(np.int64).view(np.uint64)


def _as_sum(row: Matrix) -> Sum:
    *coefficients, constant = (int(entry) for entry in row)
    return {**{index: value for index, value in enumerate(coefficients) if value}, ONE: constant}


def _as_wide(a: Term, b: Term) -> bool:
    """Whether equality modulo the bits that are meant is equality: of a mask only with a number that fits into it."""
    for one, other in ((a, b), (b, a)):
        if one.op is Op.BVAND and not (other.op is Op.VALUE and other.value >> _low_bits(one)[1] == 0):
            return False
    return True


def _low_bits(term: Term) -> tuple[Term, int]:
    """A term and how many of its bits are meant: an extract from bit 0, or a mask of the lowest bits."""
    if term.op is Op.EXTRACT and term.params[1] == 0:
        return term.args[0], term.width
    if term.op is Op.BVAND and term.args[1].op is Op.VALUE:
        mask = term.args[1].value
        if mask & (mask + 1) == 0:
            return term.args[0], mask.bit_length()
    return term, term.width


def _twos(number: int) -> int:
    """How often 2 divides it."""
    return (number & -number).bit_length() - 1
