"""Choices of the program, as calls of the `__VERIFIER_nondet_` family."""

from __future__ import annotations

from threadproof.codegen.sequential.options import Choices
from threadproof.codegen.sequential.text.writer import Writer, from_number
from threadproof.codegen.sequential.values.scalars import CKind, Sign, container, unsigned
from threadproof.codegen.sequential.values.typed import Typed
from threadproof.ir import instr as ir
from threadproof.ir.expr import Compare, CompareOp, const

_NAMES = {8: "char", 16: "short", 32: "int", 64: "longlong", 128: "int128"}
NONDET = {
    "bool": "_Bool",
    **{name: CKind(Sign.SIGNED, size).text for size, name in _NAMES.items()},
    **{f"u{name}": unsigned(size).text for size, name in _NAMES.items()},
}
"""The C types of the functions, by what follows `__VERIFIER_nondet_`."""

RANDOM_VALUES = 1 << 44
"""As many as `random_bits` has."""


def choose(writer: Writer, instr: ir.Nondet) -> None:
    if not writer.is_read(instr.dst):
        return
    target = writer.scope.register(instr.dst)
    if instr.dst.width == 1 or (instr.low, instr.high) == (0, 1):
        _call(writer, instr, target, "bool")
    elif writer.module.options.choices is Choices.RANDOM:
        _pick(writer, instr, target)
    else:
        name = _NAMES[container(instr.dst.width)]
        _call(writer, instr, target, name if instr.low < 0 else f"u{name}")
        _restrict(writer, instr)


def _call(writer: Writer, instr: ir.Nondet, target: Typed, name: str) -> None:
    writer.put(f"{target.text} = {from_number(target.kind)}__VERIFIER_nondet_{name}();", instr)


def _pick(writer: Writer, instr: ir.Nondet, target: Typed) -> None:
    """A random run takes one of the values there are: an assumption would make it repeat what cannot be repeated."""
    width = instr.dst.width
    if instr.values:
        texts = tuple(writer.printer.assigned(const(value, width), target.kind) for value in instr.values)
        writer.put(f"{target.text} = {_one_of(texts)};", instr)
        return
    first, count = instr.low % (1 << 64), min(instr.high - instr.low + 1, RANDOM_VALUES)
    value = f"({first}ull + random_bits() % {count}ull)"
    writer.put(f"{target.text} = {from_number(target.kind)}{value};", instr)


def _restrict(writer: Writer, instr: ir.Nondet) -> None:
    """To the values there may be, where the function has more."""
    reg, width = instr.dst, instr.dst.width
    if instr.values:
        each = [Compare(CompareOp.EQ, reg, const(value, width)) for value in instr.values]
        some = " || ".join(writer.printer.condition(one) for one in each)
        writer.put(f"assume({some});  // which is enough to see all there is", instr)
        return
    size, signed = container(width), instr.low < 0
    lowest, highest = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if signed else (0, (1 << size) - 1)
    compare = CompareOp.SLE if signed else CompareOp.ULE
    parts = [Compare(compare, const(instr.low, width), reg)] if instr.low != lowest else []
    parts += [Compare(compare, reg, const(instr.high, width))] if instr.high != highest else []
    for part in parts:
        writer.put(f"assume({writer.printer.condition(part)});", instr)


def _one_of(values: tuple[str, ...]) -> str:
    """An expression that is any of the values."""
    text = values[-1]
    for number, value in enumerate(values[:-1], start=2):
        text = f"random_bits() % {number} ? ({text}) : {value}"
    return text
