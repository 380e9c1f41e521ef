"""Integers and functions: z3 decides them, bitwuzla refuses. Bit-vectors as integers and back: the same states."""

from __future__ import annotations

from random import Random

import pytest
from random_terms import ARRAY, Recipe, Theory, build, recipe, values

from threadproof.core.errors import InternalError
from threadproof.smt.backend import WrongSolver
from threadproof.smt.c_text import CName, Unprintable, in_c
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.integers import Integers, NoIntegers, Signedness, Wrapping
from threadproof.smt.integers_as_bits import NoBits, as_bits
from threadproof.smt.linear import balanced, linear
from threadproof.smt.meaning import FunctionValue, Value, to_signed
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Sat, SolverName, Undecided, Unsat, open_solver
from threadproof.smt.term import BOOL, INT, Array, BitVec, FunctionSort, Op, Term, bitvec, in_order, variables
from threadproof.smt.terms import Rewriting, Terms


def conditions(terms: Terms, steps: Recipe) -> list[Term]:
    return [term for step, term in zip(steps, build(terms, steps), strict=True) if step.sort == BOOL and step.args]


def asked(*formulas: Term) -> type:
    solver = open_solver(SolverName.Z3)
    solver.add(*formulas)
    return type(solver.check(seconds=1))  # every model is checked on the way


def test_simplified_or_not_z3_gives_one_answer() -> None:
    decided: list[type] = []
    for seed in range(60):
        steps = recipe(Random(seed), length=15, theory=Theory.INTEGERS)
        answers = {asked(*conditions(Terms(rewriting), steps)[-2:]) for rewriting in Rewriting} - {Undecided}
        assert len(answers) < 2, seed
        decided += answers
    assert decided.count(Sat) > 10
    assert decided.count(Unsat) > 10


def test_integers_and_functions_are_read_back() -> None:
    for seed in range(30):
        for rewriting in Rewriting:
            terms = Terms(rewriting)
            formulas = conditions(terms, recipe(Random(seed), theory=Theory.INTEGERS))[-4:]
            assert read(terms, script(formulas)) == formulas


def test_equal_arguments_have_equal_results() -> None:
    terms = Terms()
    f = terms.var("f", FunctionSort((INT, bitvec(8)), BOOL))
    x, y, b = terms.int_var("x"), terms.int_var("y"), terms.bv_var("b", 8)
    differ = terms.and_(terms.apply(f, x, b), terms.not_(terms.apply(f, y, b)))
    assert asked(differ, terms.eq(x, y)) is Unsat
    assert asked(differ) is Sat
    assert Assignment({"f": FunctionValue(0, {(3, 7): 1}), "x": 3, "y": 4, "b": 7}).holds(differ)


def test_what_is_not_well_sorted_is_refused() -> None:
    terms = Terms()
    x, f = terms.int_var("x"), terms.var("f", FunctionSort((INT,), INT))
    wrong = (
        (Op.INT_ADD, (x, terms.bv(1, 8))),
        (Op.INT_DIV, (x, x)),
        (Op.INT_MOD, (x, terms.integer(0))),
        (Op.INT_DIV, (x, terms.integer(-2))),
        (Op.APPLY, (f, terms.true)),
        (Op.APPLY, (x, x)),
        (Op.EQ, (f, f)),
        (Op.ITE, (terms.true, f, f)),
    )
    for op, args in wrong:
        with pytest.raises(InternalError, match="no such term"):
            terms.make(op, args)


def test_bitwuzla_says_that_it_cannot() -> None:
    terms = Terms()
    x, f = terms.int_var("x"), terms.var("f", FunctionSort((bitvec(8),), bitvec(8)))
    b = terms.bv_var("b", 8)
    for formula, what in (
        (terms.less(x, terms.integer(3)), "integers"),
        (terms.eq(terms.make(Op.UBV_TO_INT, (b,)), terms.integer(3)), "integers"),
        (terms.eq(terms.apply(f, b), b), "functions"),
    ):
        with pytest.raises(WrongSolver, match=f"bitwuzla knows no {what} here: ask z3"):
            Context(terms).check([formula])
        assert isinstance(Context(terms, SolverName.Z3).check([formula]), Sat)


def test_c_has_no_integers_but_functions() -> None:
    terms = Terms()
    x, f = terms.bv_var("x", 32), terms.var("f", FunctionSort((bitvec(32), BOOL), bitvec(32)))

    def name(term: Term) -> CName:
        return CName(term.name, True)

    assert in_c(terms.slt(terms.apply(f, x, terms.slt(x, terms.bv(3, 32))), x), name) == "f(x, x < 3) < x"
    with pytest.raises(Unprintable, match="as_bits"):
        in_c(terms.less(terms.make(Op.SBV_TO_INT, (x,)), terms.integer(3)), name)


# --- sums ------------------------------------------------------------------------------------------------------------


def test_sums_that_are_equal_have_one_form() -> None:
    terms = Terms()
    x, y, one = terms.int_var("x"), terms.int_var("y"), terms.integer(1)
    make = terms.make
    assert linear(make(Op.INT_SUB, (x, x))).coefficients == {}
    twice = make(Op.INT_MUL, (x, terms.integer(2)))
    assert balanced(terms, Op.EQ, twice, make(Op.INT_ADD, (y, x))) is terms.eq(x, y)
    assert balanced(terms, Op.EQ, twice, one) is terms.false
    assert balanced(terms, Op.INT_LT, twice, terms.integer(5)) is terms.less(x, terms.integer(3))
    assert balanced(terms, Op.INT_LT, x, terms.integer(-5)) is terms.less(x, terms.integer(-5))
    assert balanced(terms, Op.INT_LT, terms.integer(-5), x) is terms.less(terms.integer(-5), x)
    assert balanced(terms, Op.INT_LT, make(Op.INT_SUB, (x, y)), one) is terms.less(x, make(Op.INT_ADD, (y, one)))


def test_balancing_keeps_the_meaning() -> None:
    for seed in range(150):
        random, terms = Random(seed), Terms()
        steps = recipe(random, length=40, theory=Theory.INTEGERS)
        for part in conditions(terms, steps):
            if part.op in (Op.INT_LT, Op.EQ) and part.args[0].sort is INT:
                other = balanced(terms, part.op, *part.args)
                for _ in range(4):
                    model = Assignment(values(random, steps))
                    assert model.holds(part) == model.holds(other)


# --- bit-vectors as integers -----------------------------------------------------------------------------------------


def integer_values(integers: Integers, given: dict[str, Value]) -> Assignment:
    """The integer state that a state is; functions are filled in by what the bit-vectors say."""
    found: dict[str, Value] = {}
    for variable, (bits, sign) in integers.origins.items():
        number = given[bits.name]
        assert isinstance(number, int)
        found[variable.name] = to_signed(number, bits.width) if sign is Signedness.SIGNED else number
    return Assignment({**given, **found})


def is_plain(integers: Integers) -> bool:
    return not integers.arrays and not integers.opaque


def both_ways(random: Random, length: int) -> tuple[int, int]:
    """How many formulas were compared, and how many of them without functions."""
    compared = plain = 0
    terms = Terms(random.choice(list(Rewriting)))
    steps = recipe(random, length=length)
    for part in conditions(terms, steps):
        sign = random.choice(list(Signedness))
        integers = Integers(terms, dict.fromkeys(variables([part]), sign).__getitem__)
        try:
            formula = integers.formula(part)
        except NoIntegers:
            continue
        assert not any(isinstance(v.sort, BitVec) for v in variables([formula]))
        back = as_bits(integers, formula)
        compared += 1
        plain += is_plain(integers)
        for _ in range(6):
            given = values(random, steps)
            expected = Assignment(given).holds(part)
            assert Assignment(given).holds(back) == expected, part
            if is_plain(integers):
                model = integer_values(integers, given)
                assert model.holds(formula) == expected
                assert all(model.holds(fact) for fact in integers.facts)
    return compared, plain


def test_integers_are_exact_and_so_is_the_way_back() -> None:
    found = [both_ways(Random(seed), 25) for seed in range(120)]
    assert sum(compared for compared, _ in found) > 500
    assert sum(plain for _, plain in found) > 200


@pytest.mark.slow
def test_integers_are_exact_and_so_is_the_way_back_for_many() -> None:
    for seed in range(1000, 6000):
        both_ways(Random(seed), 40)


def test_unsatisfiable_integers_are_unsatisfiable_bits() -> None:
    refuted = 0
    for seed in range(60):
        terms = Terms()
        formulas = [part for part in conditions(terms, recipe(Random(seed), length=20)) if not compares_arrays(part)][
            -3:
        ]
        integers = Integers(terms)
        written = [integers.formula(part) for part in formulas]
        if asked(*written, *integers.facts) is Unsat:
            assert asked(*formulas) is Unsat
            refuted += 1
    assert refuted > 5


def compares_arrays(formula: Term) -> bool:
    parts = in_order([formula])
    return any(
        (part.op is Op.EQ and part.args[0].sort == ARRAY) or (part.op is Op.ITE and part.sort == ARRAY)
        for part in parts
    )


def test_comparisons_are_made_in_as_many_bits_as_they_need() -> None:
    terms = Terms()
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    integers = Integers(terms)
    integers.formula(terms.slt(terms.add(x, y), z))
    a, b, c = integers.origins
    difference = terms.make(Op.INT_SUB, (a, b))
    assert as_bits(integers, terms.at_most(difference, terms.integer(0))) is terms.sle(x, y)
    assert as_bits(integers, terms.less(a, terms.integer(-5))) is terms.slt(x, terms.bv(-5, 32))
    assert as_bits(integers, terms.eq(difference, terms.integer(0))) is terms.eq(x, y)
    total = as_bits(integers, terms.less(terms.make(Op.INT_ADD, (a, b)), c))
    assert {part.width for part in total.args} == {33}
    unsigned = Integers(terms, lambda _: Signedness.UNSIGNED)
    unsigned.formula(terms.ult(x, y))
    first, second = unsigned.origins
    assert as_bits(unsigned, terms.less(first, second)) is terms.ult(x, y)


def test_integers_that_ignore_wrapping_are_a_guess() -> None:
    """`x + 1 > x` holds of integers and not of bits: whoever believes an integer proof is wrong."""
    terms = Terms()
    x = terms.bv_var("x", 32)
    grows = terms.slt(x, terms.add(x, terms.bv(1, 32)))
    for wrapping, answer in ((Wrapping.IGNORED, Unsat), (Wrapping.EXACT, Sat)):
        integers = Integers(terms, wrapping=wrapping)
        assert asked(terms.not_(integers.formula(grows)), *integers.facts) is answer


def test_what_has_no_integers_has_none_the_second_time() -> None:
    """Found as an internal error of the engine `modular`: the second question took the first for answered."""
    terms = Terms()
    a, b = (terms.var(name, Array(8, 8)) for name in "ab")
    read_from_either = terms.select(terms.ite(terms.bool_var("which"), a, b), terms.bv(0, 8))
    formula = terms.eq(terms.make(Op.MUL, (read_from_either, read_from_either)), terms.bv(1, 8))
    integers = Integers(terms)
    for _ in range(2):
        with pytest.raises(NoIntegers):
            integers.formula(formula)
    with pytest.raises(NoIntegers):
        integers.number(terms.add(read_from_either, terms.bv(1, 8)), Signedness.SIGNED)


def test_strangers_have_no_bits() -> None:
    terms = Terms()
    f = terms.var("f", FunctionSort((INT,), INT))
    for number in (terms.int_var("stranger"), terms.apply(f, terms.integer(3))):
        with pytest.raises(NoBits):
            as_bits(Integers(terms), terms.less(number, terms.integer(0)))
    same = terms.eq(terms.var("m", ARRAY), terms.var("n", ARRAY))
    with pytest.raises(NoIntegers):
        Integers(terms).formula(same)
