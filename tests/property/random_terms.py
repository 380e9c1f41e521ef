"""Random terms as recipes, so that the same term can be made twice: simplified and as written."""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import NamedTuple

from threadproof.smt.meaning import ArrayValue, FunctionValue, Value
from threadproof.smt.term import BOOL, INT, Array, BitVec, FunctionSort, Op, Params, Sort, Term, bitvec
from threadproof.smt.terms import Terms

ARRAY = Array(2, 3)
FUNCTION = FunctionSort((INT, bitvec(2)), INT)
_SAME = (
    Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR, Op.BVAND, Op.BVOR, Op.BVXOR,
)  # fmt: skip


class Step(NamedTuple):
    op: Op
    args: tuple[int, ...]  # earlier steps
    params: Params
    sort: Sort


Recipe = list[Step]


class Theory(Enum):
    BITS = "bit-vectors and arrays"
    INTEGERS = "integers and functions, too"


def recipe(
    random: Random, *, length: int = 25, widths: tuple[int, ...] = (1, 2, 3, 5), theory: Theory = Theory.BITS
) -> Recipe:
    """Leaves first; the last step is a Boolean."""
    steps = [
        Step(Op.VAR, (), (f"{kind}{name}",), sort)
        for kind, sort in (("p", BOOL), ("m", ARRAY), *((f"v{w}", bitvec(w)) for w in widths))
        for name in "ab"
    ]
    steps += [Step(op, (), (), BOOL) for op in (Op.TRUE, Op.FALSE)]
    for width in widths:
        top = (1 << width) - 1
        values = {0, 1, top, top >> 1, (top >> 1) + 1, random.randint(0, top)}
        steps += [Step(Op.VALUE, (), (value, width), bitvec(width)) for value in sorted(values)]
    if theory is Theory.INTEGERS:
        steps += [Step(Op.VAR, (), (name,), INT) for name in ("ia", "ib")] + [Step(Op.VAR, (), ("f",), FUNCTION)]
        steps += [Step(Op.INTEGER, (), (value,), INT) for value in (0, 1, 2, -1, random.randint(-9, 9))]
    for _ in range(length):
        of_integers = theory is Theory.INTEGERS and random.random() < 0.4
        steps.append(_integer(random, steps, widths) if of_integers else _step(random, steps, widths))
    return [*steps, _boolean(random, steps, random.choice(widths))]


def _pick(random: Random, steps: Recipe, sort: Sort) -> int:
    fitting = [index for index, step in enumerate(steps) if step.sort == sort]
    recent = fitting[-4:] if random.random() < 0.5 else fitting
    return random.choice(recent)


def _step(random: Random, steps: Recipe, widths: tuple[int, ...]) -> Step:
    width = random.choice(widths)
    match random.randrange(8):
        case 0 | 1:
            return _boolean(random, steps, width)
        case 2 | 3:
            args = _pick(random, steps, bitvec(width)), _pick(random, steps, bitvec(width))
            return Step(random.choice(_SAME), args, (), bitvec(width))
        case 4:
            return _reshaped(random, steps, width)
        case 5:
            sort = random.choice((BOOL, ARRAY, bitvec(width), bitvec(width)))
            return Step(Op.ITE, (_pick(random, steps, BOOL), *(_pick(random, steps, sort) for _ in "xy")), (), sort)
        case 6:
            return _array(random, steps)
        case _:
            op = random.choice((Op.BVNOT, Op.NEG))
            return Step(op, (_pick(random, steps, bitvec(width)),), (), bitvec(width))


def _integer(random: Random, steps: Recipe, widths: tuple[int, ...]) -> Step:
    a, b, bits = (
        _pick(random, steps, INT),
        _pick(random, steps, INT),
        _pick(random, steps, bitvec(random.choice(widths))),
    )
    match random.randrange(9):
        case 0 | 1 | 2:
            return Step(random.choice((Op.INT_ADD, Op.INT_SUB, Op.INT_MUL)), (a, b), (), INT)
        case 3:
            positive = [i for i, s in enumerate(steps) if s.op is Op.INTEGER and int(s.params[0]) > 0]
            return Step(random.choice((Op.INT_DIV, Op.INT_MOD)), (a, random.choice(positive)), (), INT)
        case 4:
            return Step(random.choice((Op.INT_LT, Op.EQ)), (a, b), (), BOOL)
        case 5:
            return Step(random.choice((Op.UBV_TO_INT, Op.SBV_TO_INT)), (bits,), (), INT)
        case 6:
            width = random.choice(widths)
            return Step(Op.INT_TO_BV, (a,), (width,), bitvec(width))
        case 7:
            function = next(i for i, s in enumerate(steps) if s.sort == FUNCTION)
            return Step(Op.APPLY, (function, a, _pick(random, steps, bitvec(2))), (), INT)
        case _:
            return Step(Op.ITE, (_pick(random, steps, BOOL), a, b), (), INT)


def _boolean(random: Random, steps: Recipe, width: int) -> Step:
    op = random.choice((Op.NOT, Op.AND, Op.AND, Op.OR, Op.OR, Op.EQ, Op.EQ, Op.ULT, Op.SLT))
    if op is Op.EQ:
        sort: Sort = random.choice((BOOL, ARRAY, bitvec(width), bitvec(width)))
    else:
        sort = bitvec(width) if op in (Op.ULT, Op.SLT) else BOOL
    count = 1 if op is Op.NOT else random.choice((2, 2, 3, 4)) if op in (Op.AND, Op.OR) else 2
    return Step(op, tuple(_pick(random, steps, sort) for _ in range(count)), (), BOOL)


def _reshaped(random: Random, steps: Recipe, width: int) -> Step:
    source = _pick(random, steps, bitvec(width))
    match random.randrange(4):
        case 0:
            other = random.choice([i for i, s in enumerate(steps) if isinstance(s.sort, BitVec) and s.sort.width < 6])
            sort = steps[other].sort
            assert isinstance(sort, BitVec)
            return Step(Op.CONCAT, (source, other), (), bitvec(width + sort.width))
        case 1:
            wide = random.choice([i for i, s in enumerate(steps) if isinstance(s.sort, BitVec)])
            sort = steps[wide].sort
            assert isinstance(sort, BitVec)
            low = random.randrange(sort.width)
            high = random.randrange(low, sort.width)
            return Step(Op.EXTRACT, (wide,), (high, low), bitvec(high - low + 1))
        case way:
            more = random.randrange(4)
            return Step(Op.ZEXT if way == 2 else Op.SEXT, (source,), (more,), bitvec(width + more))


def _array(random: Random, steps: Recipe) -> Step:
    index, value = _pick(random, steps, bitvec(2)), _pick(random, steps, bitvec(3))
    array = _pick(random, steps, ARRAY)
    match random.randrange(5):
        case 0:
            return Step(Op.FILL, (value,), (2,), ARRAY)
        case 1 | 2:
            return Step(Op.STORE, (array, index, value), (), ARRAY)
        case _:
            return Step(Op.SELECT, (array, index), (), bitvec(3))


def build(terms: Terms, steps: Recipe) -> list[Term]:
    made: list[Term] = []
    for step in steps:
        if step.op is Op.VAR:
            made.append(terms.var(str(step.params[0]), step.sort))
        else:
            made.append(terms.make(step.op, tuple(made[index] for index in step.args), step.params))
    return made


def values(random: Random, steps: Recipe) -> dict[str, Value]:
    """Some value for every variable."""
    return {str(step.params[0]): _value(random, step.sort) for step in steps if step.op is Op.VAR}


def _value(random: Random, sort: Sort) -> Value:
    match sort:
        case BitVec(width):
            return random.randrange(1 << width)
        case Array(index, element):
            entries = {random.randrange(1 << index): random.randrange(1 << element) for _ in range(3)}
            return ArrayValue(random.randrange(1 << element), entries)
        case FunctionSort():
            return FunctionValue(
                3, {(random.randint(-3, 3), random.randrange(4)): random.randint(-9, 9) for _ in "abc"}
            )
        case _ if sort is INT:
            return random.randint(-20, 20)
        case _:
            return random.randrange(2)
