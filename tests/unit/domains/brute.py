"""Small worlds where everything can be tried: all states of a few narrow variables, all values of a width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

from threadproof.domains.interface import Domain
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import BOOL, Op, Term
from threadproof.smt.terms import Rewriting, Terms

BINARY = (
    Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.UREM, Op.SDIV, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR, Op.BVAND, Op.BVOR, Op.BVXOR,
)  # fmt: skip
UNARY = (Op.NEG, Op.BVNOT)
COMPARISONS = (Op.EQ, Op.ULT, Op.SLT)


def states(columns: Iterable[Term]) -> Iterator[Assignment]:
    """All there are."""
    names = [(v.name, 2 if v.sort is BOOL else 1 << v.width) for v in columns]
    for values in product(*(range(size) for _, size in names)):
        yield Assignment({name: value for (name, _), value in zip(names, values, strict=True)})


def gamma(value: Domain, columns: tuple[Term, ...]) -> set[tuple[int, ...]]:
    """The states of a value, as tuples of what the columns are."""
    return {tuple(state.number(c) for c in columns) for state in states(columns) if value.holds(state)}


def as_state(columns: tuple[Term, ...], values: tuple[int, ...]) -> Assignment:
    return Assignment({column.name: value for column, value in zip(columns, values, strict=True)})


def moved(terms: Terms, columns: tuple[Term, ...], before: set[tuple[int, ...]], updates: dict[Term, Term]) -> object:
    """What the updates make of these states."""
    after = [updates.get(column, column) for column in columns]
    found = (as_state(columns, one) for one in before)
    return {tuple(state.number(value) for value in after) for state in found}


def number(terms: Terms, random: Random, columns: tuple[Term, ...], width: int, deep: int = 2) -> Term:
    """A random term of that width over columns, constants and all operations."""
    fitting = [c for c in columns if c.sort is not BOOL and c.width == width]
    if not deep or random.random() < 0.2:
        return random.choice([*fitting, terms.bv(random.randrange(1 << width), width)])

    def inner(w: int = width) -> Term:
        return number(terms, random, columns, w, deep - 1)

    match random.randrange(7):
        case 0 | 1 | 2:
            return terms.make(random.choice(BINARY), (inner(), inner()))
        case 3:
            return terms.make(random.choice(UNARY), (inner(),))
        case 4:
            return terms.ite(condition(terms, random, columns, width, deep - 1), inner(), inner())
        case 5:
            wide = random.choice((terms.zext, terms.sext))(inner(), width + 2)
            low = random.randrange(3)
            return terms.extract(wide, low + width - 1, low)
        case _ if width > 1:
            split = random.randrange(1, width)
            return terms.concat(terms.extract(inner(), width - 1, split), terms.extract(inner(), split - 1, 0))
        case _:
            return inner()


def condition(terms: Terms, random: Random, columns: tuple[Term, ...], width: int, deep: int = 2) -> Term:
    choices = [c for c in columns if c.sort is BOOL]
    match random.randrange(5):
        case 0 if deep:
            parts = [condition(terms, random, columns, width, deep - 1) for _ in range(2)]
            return terms.make(random.choice((Op.AND, Op.OR)), tuple(parts))
        case 1:
            return terms.not_(condition(terms, random, columns, width, max(deep - 1, 0)))
        case 2 if choices:
            return random.choice(choices)
        case _:
            sides = (number(terms, random, columns, width, max(deep - 1, 0)) for _ in range(2))
            return terms.make(random.choice(COMPARISONS), tuple(sides))


def maker(random: Random) -> Terms:
    return Terms(random.choice(list(Rewriting)))
