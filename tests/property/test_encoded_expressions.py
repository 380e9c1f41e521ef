"""Expressions as terms against the reference evaluator: the same value, or the same trap."""

from __future__ import annotations

import math
from random import Random

import pytest
from expressions import widths_of, with_values
from hypothesis import given, settings
from hypothesis import strategies as st
from test_compiled import _operations, _patterns
from test_evaluate import EMPTY, reference

from threadproof.encoding.encoded import Encoded, EncodedTrap, Environment, NotEncoded, Zone
from threadproof.encoding.expressions import address, condition, value
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Const,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    PtrAdd,
    Reg,
    Select,
)
from threadproof.ir.instr import Return, UndefinedKind
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap as RealTrap
from threadproof.semantics.outcome import Unsupportable
from threadproof.smt.evaluate import Assignment
from threadproof.smt.ieee import to_float
from threadproof.smt.solver import Sat, Unsat, open_solver
from threadproof.smt.term import Term
from threadproof.smt.terms import Rewriting, Terms


def environment(terms: Terms, registers: dict[str, Term]) -> Environment:
    return Environment(EMPTY, registers, terms.bv(0, 64), lambda expr: ())


def as_variables(terms: Terms, widths: dict[str, int]) -> dict[str, Term]:
    return {name: terms.bv_var(name, width) for name, width in widths.items()}


def first(traps: tuple[EncodedTrap, ...], given_values: Assignment) -> UndefinedKind | NotEncoded | None:
    return next((trap.what for trap in traps if given_values.holds(trap.condition)), None)


@settings(max_examples=250)
@given(with_values(), st.sampled_from(Rewriting))
def test_the_same_value_or_the_same_trap(example: tuple[Expr, dict[str, int]], rewriting: Rewriting) -> None:
    expr, registers = example
    terms = Terms(rewriting)
    encoded = value(terms, environment(terms, as_variables(terms, widths_of(expr))), expr)
    assignment = Assignment(registers)
    try:
        expected: int | UndefinedKind = reference(expr, registers)
    except RealTrap as trap:
        expected = trap.kind
    happens = first(encoded.traps, assignment)
    assert (assignment.number(encoded.value) if happens is None else happens) == expected
    assert encoded.value.width == expr.width


@given(with_values())
def test_known_registers_leave_nothing_to_solve(example: tuple[Expr, dict[str, int]]) -> None:
    expr, registers = example
    terms = Terms()
    widths = widths_of(expr)
    constants = {name: terms.bv(registers[name], width) for name, width in widths.items()}
    encoded = value(terms, environment(terms, constants), expr)
    assert all(trap.condition is terms.true for trap in encoded.traps)
    if not encoded.traps:
        assert encoded.value.value == reference(expr, registers)


def test_what_is_not_chosen_does_not_trap() -> None:
    terms = Terms()
    a, b = Reg("a", 8), Reg("b", 1)
    expr = Select(b, Binary(BinaryOp.UDIV, Const(1, 8), a), Binary(BinaryOp.SHL, Const(1, 8), a))
    names = as_variables(terms, {"a": 8, "b": 1})
    encoded = value(terms, environment(terms, names), expr)
    kinds = [first(encoded.traps, Assignment({"a": n, "b": c})) for n, c in ((0, 1), (0, 0), (9, 1), (9, 0))]
    assert kinds == [UndefinedKind.DIVISION_BY_ZERO, None, None, UndefinedKind.OVERSIZED_SHIFT]
    assert condition(terms, environment(terms, names), b).value is terms.eq(names["b"], terms.bv(1, 1))


# --- floating point --------------------------------------------------------------------------------------------------


def _nan(bits: int, width: int) -> bool:
    return width in (32, 64) and math.isnan(to_float(bits, width))


def solved(terms: Terms, encoded: Encoded) -> int:
    """The one value that the definitions allow (or one of the NaNs)."""
    solver = open_solver()
    solver.add(*encoded.definitions)
    outcome = solver.check()
    assert isinstance(outcome, Sat)
    found = outcome.model.number(encoded.value)
    if not _nan(found, encoded.value.width):
        other = terms.ne(encoded.value, terms.bv(found, encoded.value.width))
        assert solver.check([other]) == Unsat((other,))
    return found


def agrees(expr: Expr, registers: dict[str, int], *, float_result: bool) -> None:
    terms = Terms()
    constants = {name: terms.bv(registers[name], width) for name, width in widths_of(expr).items()}
    encoded = value(terms, environment(terms, constants), expr)
    try:
        expected = reference(expr, registers)
    except Unsupportable:
        assert any(isinstance(trap.what, NotEncoded) for trap in encoded.traps)
        return
    assert encoded.traps == ()
    found = solved(terms, encoded)
    both_nan = float_result and _nan(found, expr.width) and _nan(expected, expr.width)
    assert found == expected or both_nan, (expr, registers)


def test_floats_as_in_the_reference() -> None:
    random = Random(3)
    for name, (make, kind) in _operations().items():
        if name == "rem":
            continue
        for width in (32, 64):
            for _ in range(8):
                source = int(name[-2:]) if name.startswith("from") else width
                a = random.getrandbits(source) if name.startswith("from") else _patterns(random, width)
                registers = {"a": a, "b": _patterns(random, width)}
                agrees(make(width), registers, float_result=kind in (0, -1))


RELATIONS = ("eq", "ne", "lt", "le", "gt", "ge")


@pytest.mark.parametrize("predicate", [*(f"{o}{r}" for o in "ou" for r in RELATIONS), "ord", "uno", "true", "false"])
def test_float_comparisons(predicate: str) -> None:
    random = Random(predicate)
    for _ in range(10):
        registers = {name: _patterns(random, 32) for name in "ab"}
        agrees(FloatCompare(predicate, Reg("a", 32), Reg("b", 32)), registers, float_result=False)


@pytest.mark.parametrize("op", [FloatUnaryOp.FLOOR, FloatUnaryOp.CEIL, FloatUnaryOp.TRUNC])
def test_rounding_keeps_the_very_nan(op: FloatUnaryOp) -> None:
    agrees(FloatUnary(op, Reg("a", 64)), {"a": 0x7FF0_0000_0000_0BAD}, float_result=False)


def test_what_formulas_do_not_know_says_so() -> None:
    terms = Terms()
    names = as_variables(terms, {"a": 80, "b": 64})
    for expr in (
        FloatBinary(FloatOp.ADD, Reg("a", 80), Reg("a", 80)),
        FloatBinary(FloatOp.REM, Reg("b", 64), Reg("b", 64)),
        FloatCompare("olt", Reg("a", 80), Reg("a", 80)),
    ):
        traps = value(terms, environment(terms, names), expr).traps
        assert [trap.condition for trap in traps] == [terms.true]
        assert isinstance(traps[0].what, NotEncoded)


# --- pointers --------------------------------------------------------------------------------------------------------

SIZES = {"a": 10, "b": 4000, "c": 1}


def machine(model: DataModel) -> Machine:
    main = Function("main", (), (Block("0", (Return(),)),))
    return Machine(Program("p", model, {"main": main}, {n: GlobalVar(n, s, b"") for n, s in SIZES.items()}))


def zones(of: Machine, terms: Terms, bits: int) -> list[Zone]:
    starts = of.layout.globals
    return [Zone(terms.true, terms.bv(starts[n], bits), terms.bv(size, bits)) for n, size in SIZES.items()]


@pytest.mark.parametrize("model", list(DataModel))
@given(data=st.data())
@settings(max_examples=150)
def test_pointer_arithmetic_as_in_memory(model: DataModel, data: st.DataObject) -> None:
    of, bits, terms = machine(model), model.pointer_bits, Terms()
    half = of.layout.plan.red_zone // 2
    name = data.draw(st.sampled_from(sorted(SIZES)))
    near = st.integers(-half - 1, SIZES[name] + half).map(lambda n: of.layout.globals[name] + n)
    base = data.draw(st.one_of(near, st.integers(0, 100), st.just(of.layout.plan.code), st.integers(0, 2**bits - 1)))
    small = st.sampled_from((0, 1, -1, 4, half, -half, 2 * half, SIZES[name], SIZES[name] + half))
    steps = data.draw(st.lists(st.one_of(small, st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=3))
    expr: Expr = Reg("p", bits)
    for index in range(len(steps)):
        expr = PtrAdd(expr, Reg(f"o{index}", 64))
    offsets = {f"o{index}": step & (2**64 - 1) for index, step in enumerate(steps)}
    known = as_variables(terms, {"p": bits, **dict.fromkeys(offsets, 64)})
    where = Environment(of.layout, known, terms.bv(0, bits), lambda expr: zones(of, terms, bits))
    assignment = Assignment({"p": base, **offsets})
    expected = real(of, base, steps)
    for encode in (value, address):
        encoded = encode(terms, where, expr)
        happens = first(encoded.traps, assignment)
        if happens is None:
            assert assignment.number(encoded.value) == expected
        elif happens == NotEncoded("arithmetic on a pointer to no object"):
            assert len(steps) > 1
        elif isinstance(expected, int):
            raise AssertionError("a trap, and the reference has an address")
        elif encode is value:
            assert happens == NotEncoded("a pointer far outside its object")
        else:
            wanted = UndefinedKind.OUT_OF_BOUNDS if expected[0] else UndefinedKind.NULL_DEREFERENCE
            assert happens is wanted


def real(of: Machine, base: int, steps: list[int]) -> int | tuple[int, int]:
    memory = MemoryView(of.static.image, of.initial())
    place: int | tuple[int, int] = base
    for step in steps:
        place = memory.ptr_add(place, step)
    return place


def test_known_bases_leave_one_case() -> None:
    """`b[i]`: all that is left is whether i goes too far."""
    of, terms = machine(DataModel.LP64), Terms()
    index = terms.bv_var("i", 64)
    where = Environment(of.layout, {"i": index}, terms.bv(0, 64), lambda expr: zones(of, terms, 64))
    base = Const(of.layout.globals["b"], 64)
    encoded = address(terms, where, PtrAdd(base, Reg("i", 64)))
    assert encoded.value is terms.add(index, terms.bv(base.value, 64))
    assert [trap.what for trap in encoded.traps] == [UndefinedKind.OUT_OF_BOUNDS]
