"""The reference evaluator, simplification and folding, against circuits on lists of bits."""

from __future__ import annotations

import pytest
from bits import Undefined, evaluate
from expressions import any_expression, valuations, widths_of, with_values
from hypothesis import given
from hypothesis import strategies as st

from threadproof.ir.expr import Binary, Const, Expr, Reg, may_trap, rebuild, walk
from threadproof.ir.instr import Assign, Return
from threadproof.ir.layout import Layout
from threadproof.ir.program import Block, DataModel, Function, Program
from threadproof.ir.simplify import simplify, substitute
from threadproof.passes.fold import fold_temporaries
from threadproof.semantics.evaluate import ExpressionCompiler
from threadproof.semantics.outcome import Trap

EMPTY = Layout.of(64, (), (), ())


def reference(expr: Expr, registers: dict[str, int]) -> int:
    slots = {name: index for index, name in enumerate(sorted(registers), start=1)}
    return int(
        ExpressionCompiler(EMPTY, slots, {}).compile(expr)([0, *(registers[n] for n in sorted(registers))], None)
    )


def defined(expr: Expr, registers: dict[str, int]) -> int | None:
    try:
        return evaluate(expr, registers)
    except Undefined:
        return None


@given(with_values())
def test_the_evaluator_agrees_with_circuits(example: tuple[Expr, dict[str, int]]) -> None:
    expr, registers = example
    expected = defined(expr, registers)
    if expected is not None:
        assert reference(expr, registers) == expected
    elif not any(type(part).__name__ == "Select" for part in walk(expr)):
        # A selection evaluates only the way taken: passes never move what may trap into one.
        with pytest.raises(Trap):
            reference(expr, registers)


@given(with_values())
def test_what_traps_says_that_it_may(example: tuple[Expr, dict[str, int]]) -> None:
    expr, registers = example
    if defined(expr, registers) is None:
        assert may_trap(expr)


@given(with_values())
def test_simplification_keeps_the_value(example: tuple[Expr, dict[str, int]]) -> None:
    expr, registers = example
    expected = defined(expr, registers)
    short = _simplified(expr)
    assert short.width == expr.width
    if expected is not None:
        assert reference(short, registers) == expected


def _simplified(expr: Expr) -> Expr:
    return simplify(rebuild(expr, _simplified))


@given(any_expression(), st.data())
def test_substitution_keeps_the_value(expr: Expr, data: st.DataObject) -> None:
    registers = data.draw(valuations(expr))
    known = {name: Const(registers[name], width) for name, width in widths_of(expr).items()}
    expected = defined(expr, registers)
    if expected is not None:
        assert reference(substitute(expr, dict(known)), {}) == expected


@given(with_values())
def test_folding_keeps_the_value(example: tuple[Expr, dict[str, int]]) -> None:
    """The expression is taken apart, one operation per assignment, and put together again by the pass."""
    expr, registers = example
    expected = defined(expr, registers)
    if expected is None:
        return
    steps: list[Assign] = []
    result = _taken_apart(expr, steps)
    params = tuple(Reg(name, width) for name, width in sorted(widths_of(expr).items()))
    block = Block("0", (*steps, Return(result)))
    program = Program("p", DataModel.LP64, {"f": Function("f", params, (block,), expr.width)}, {})
    folded = fold_temporaries(program).functions["f"].blocks[0].instrs
    assert len(folded) <= len(block.instrs)
    assert _run(folded, registers) == expected


def _taken_apart(expr: Expr, steps: list[Assign]) -> Expr:
    if isinstance(expr, Const | Reg):
        return expr
    flat = rebuild(expr, lambda operand: _taken_apart(operand, steps))
    target = Reg(f"t{len(steps)}", expr.width)
    steps.append(Assign(target, flat))
    return target


def _run(instrs: tuple[object, ...], registers: dict[str, int]) -> int:
    values = dict(registers)
    for instr in instrs:
        if isinstance(instr, Assign):
            values[instr.dst.name] = reference(instr.value, values)
        elif isinstance(instr, Return):
            assert instr.value is not None
            return reference(instr.value, values)
    raise AssertionError("no return")


def test_circuits_divide_like_c() -> None:
    """The yardstick itself: -7 / 2 is -3, -7 % 2 is -1."""
    from threadproof.ir.expr import BinaryOp

    minus_seven, two = Const(249, 8), Const(2, 8)
    assert evaluate(Binary(BinaryOp.SDIV, minus_seven, two), {}) == 253
    assert evaluate(Binary(BinaryOp.SREM, minus_seven, two), {}) == 255
    assert evaluate(Binary(BinaryOp.UDIV, minus_seven, two), {}) == 124
