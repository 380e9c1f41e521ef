"""Terms printed as C: a compiler gives them the value they have."""

from __future__ import annotations

import ctypes
from pathlib import Path
from random import Random

import pytest
from random_terms import Recipe, Step, build, values

from threadproof.dev.native import shared_object
from threadproof.smt.c_text import CName, Unprintable, in_c
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import Value
from threadproof.smt.term import BOOL, Array, BitVec, Op, Term, bitvec
from threadproof.smt.terms import Terms

WIDTHS = (8, 16, 32, 64)
TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}
BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.UREM, Op.SHL, Op.LSHR, Op.ASHR, Op.BVAND, Op.BVOR, Op.BVXOR)
ROUNDS = 150


def recipe_in_c(random: Random) -> Recipe:
    steps = [Step(Op.VAR, (), (f"{sign}{w}",), bitvec(w)) for sign in "su" for w in WIDTHS]
    steps += [Step(Op.VAR, (), ("p",), BOOL)]
    for width in WIDTHS:
        steps += [
            Step(Op.VALUE, (), (value, width), bitvec(width)) for value in (0, 1, 7, 1 << (width - 1), 2**width - 1)
        ]
    for _ in range(12):
        steps.append(step(random, steps))
    return [*steps, condition(random, steps, random.choice(WIDTHS))]


def pick(random: Random, steps: Recipe, sort: object) -> int:
    fitting = [index for index, one in enumerate(steps) if one.sort == sort]
    return random.choice(fitting[-3:] if random.random() < 0.5 else fitting)


def step(random: Random, steps: Recipe) -> Step:
    width = random.choice(WIDTHS)
    own = bitvec(width)
    match random.randrange(7):
        case 0 | 1:
            return Step(random.choice(BINARY), (pick(random, steps, own), pick(random, steps, own)), (), own)
        case 2:
            return Step(random.choice((Op.NEG, Op.BVNOT)), (pick(random, steps, own),), (), own)
        case 3:
            more = random.choice([other - width for other in WIDTHS if other >= width])
            op = random.choice((Op.ZEXT, Op.SEXT))
            return Step(op, (pick(random, steps, own),), (more,), bitvec(width + more))
        case 4:
            low = random.choice((0, 0, 8)) if width < 64 else 0
            return Step(Op.EXTRACT, (pick(random, steps, bitvec(64)),), (low + width - 1, low), own)
        case 5:
            args = (pick(random, steps, BOOL), pick(random, steps, own), pick(random, steps, own))
            return Step(Op.ITE, args, (), own)
        case _:
            return condition(random, steps, width)


def condition(random: Random, steps: Recipe, width: int) -> Step:
    op = random.choice((Op.NOT, Op.AND, Op.OR, Op.EQ, Op.ULT, Op.SLT))
    sort = BOOL if op in (Op.NOT, Op.AND, Op.OR) else bitvec(width)
    return Step(op, tuple(pick(random, steps, sort) for _ in range(1 if op is Op.NOT else 2)), (), BOOL)


def named(variable: Term) -> CName:
    return CName(variable.name, not variable.name.startswith("u"))


def literal(width: int, value: Value) -> str:
    return f"(unsigned {TYPES[width]}){value}ULL"


def function(number: int, text: str, given: dict[str, Value]) -> str:
    lines = [
        f"{'signed' if name[0] == 's' else 'unsigned'} {TYPES[int(name[1:])]} {name} = {literal(int(name[1:]), value)};"
        for name, value in given.items()
        if name[0] in "su"
    ]
    return f"int f{number}(void) {{ int p = {given['p']}; {' '.join(lines)} return !!({text}); }}"


def test_a_compiler_gives_printed_terms_their_value(tmp_path: Path) -> None:
    random, texts, expected = Random(5), list[str](), list[bool]()
    while len(texts) < ROUNDS:
        steps, terms = recipe_in_c(random), Terms()
        formula, given = build(terms, steps)[-1], values(random, steps)
        text = in_c(formula, named)
        if formula not in (terms.true, terms.false):
            texts.append(function(len(texts), text, given))
            expected.append(Assignment(given).holds(formula))
    source = tmp_path / "terms.c"
    source.write_text("\n".join(texts), encoding="utf-8")
    library = ctypes.CDLL(str(shared_object([source], tmp_path)))
    assert [bool(getattr(library, f"f{number}")()) for number in range(ROUNDS)] == expected
    assert set(expected) == {True, False}


def test_people_read_what_they_wrote() -> None:
    terms = Terms()
    x, y, n = (terms.bv_var(name, 32) for name in ("x", "y", "un"))
    table, i = terms.var("a", Array(64, 32)), terms.bv_var("i", 64)
    small = terms.and_(terms.slt(x, y), terms.ne(x, terms.bv(-1, 32)))
    assert in_c(small, named) == "x < y && x != -1"
    assert in_c(terms.not_(small), named) == "x >= y || x == -1"
    assert in_c(terms.or_(small, terms.bool_var("p")), named) in ("(x < y && x != -1) || p", "p || (x < y && x != -1)")
    assert in_c(terms.ule(n, terms.bv(9, 32)), named) == "un <= 9U"
    assert in_c(terms.eq(terms.select(table, i), x), named) in ("x == a[i]", "a[i] == x")


@pytest.mark.parametrize("width", [1, 7, 128])
def test_what_c_has_no_type_for_is_refused(width: int) -> None:
    terms = Terms()
    x, y = terms.bv_var("x", width), terms.bv_var("y", width)
    assert isinstance(x.sort, BitVec)
    with pytest.raises(Unprintable):
        in_c(terms.ult(x, y), lambda v: CName(v.name, False))
