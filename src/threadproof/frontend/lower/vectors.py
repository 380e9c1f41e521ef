"""Vectors (`__attribute__((vector_size))`), lane by lane: each operation on vectors is one on every lane.

A vector in a register is its lanes side by side, the first one lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from threadproof.frontend.llvm.module import (
    Argument,
    BinaryInst,
    CallInst,
    CastInst,
    CompareInst,
    ExtractLaneInst,
    InsertLaneInst,
    LlvmAggregate,
    LlvmLocal,
    LoadInst,
    SelectInst,
    ShuffleInst,
    StoreInst,
    UnaryInst,
    Undef,
    Value,
    Zero,
)
from threadproof.frontend.llvm.types import Type, VectorType
from threadproof.frontend.lower.builder import Builder, word_parts
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.options import Checks
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Select
from threadproof.ir.instr import Volatility

LaneWise = BinaryInst | CompareInst | CastInst | UnaryInst | SelectInst
_VOLATILITY = {"": Volatility.ORDINARY, "volatile": Volatility.VOLATILE}


def is_vector(*values: Value) -> bool:
    return any(isinstance(value.type, VectorType) for value in values)


def lanes(b: Builder, value: Value) -> list[Value]:
    """Each lane as a value of its own."""
    type_ = value.type
    assert isinstance(type_, VectorType)
    if isinstance(value, LlvmAggregate):
        return list(value.parts)
    if isinstance(value, Zero):
        return [Zero(type_.element)] * type_.count
    if isinstance(value, Undef):
        return [Undef(type_.element, value.kind)] * type_.count
    whole = b.assign(b.value(value))
    return [_named(b, type_.element, part) for part in _split(b, whole, type_)]


def join(parts: Sequence[Expr]) -> Expr:
    width = sum(part.width for part in parts)
    whole: Expr | None = None
    at = 0
    for part in parts:
        moved = resized(part, width)
        if at:
            moved = Binary(BinaryOp.SHL, moved, Const(at, width))
        whole = moved if whole is None else Binary(BinaryOp.OR, whole, moved)
        at += part.width
    assert whole is not None
    return whole


def lane_by_lane(b: Builder, inst: LaneWise, computed: Callable[[Builder, LaneWise], Expr]) -> Expr:
    match inst:
        case BinaryInst() | CompareInst():
            if b.scope.checks is Checks.OVERFLOW and inst.opcode in ("add", "sub", "mul", "shl"):
                raise Unlowerable("arithmetic on vectors, whose overflow clang does not check")
            pairs = zip(lanes(b, inst.left), lanes(b, inst.right), strict=True)
            scalars: list[LaneWise] = [replace(inst, left=left, right=right) for left, right in pairs]
        case CastInst():
            type_ = inst.type
            if not isinstance(type_, VectorType):
                raise Unlowerable(f"{inst.opcode} of a vector to something else")
            scalars = [replace(inst, value=value, type=type_.element) for value in lanes(b, inst.value)]
        case UnaryInst():
            scalars = [replace(inst, value=value) for value in lanes(b, inst.value)]
        case SelectInst():
            then, otherwise = lanes(b, inst.then), lanes(b, inst.otherwise)
            one = not is_vector(inst.condition)
            conditions = [inst.condition] * len(then) if one else lanes(b, inst.condition)
            scalars = [
                replace(inst, condition=c, then=x, otherwise=y)
                for c, x, y in zip(conditions, then, otherwise, strict=True)
            ]
    return join([b.assign(computed(b, scalar)) for scalar in scalars])


def call_by_lanes(b: Builder, inst: CallInst, work: Callable[[CallInst], Expr]) -> Expr:
    """An intrinsic function of vectors; arguments that are none go to every lane."""
    result = inst.type.result
    if not isinstance(result, VectorType):
        raise Unlowerable("an intrinsic function of vectors")
    columns = [lanes(b, a.value) if is_vector(a.value) else [a.value] * result.count for a in inst.args]
    type_ = replace(inst.type, result=result.element)
    calls = [
        replace(inst, type=type_, args=tuple(Argument(value) for value in row)) for row in zip(*columns, strict=True)
    ]
    return join([b.assign(work(call)) for call in calls])


# --- single lanes ---


def extract_lane(b: Builder, inst: ExtractLaneInst) -> Expr:
    parts = [b.value(part) for part in lanes(b, inst.vector)]
    index = b.value(inst.index)
    if isinstance(index, Const):
        return parts[index.value % len(parts)]
    found = parts[0]
    for number, part in enumerate(parts[1:], 1):
        found = Select(Compare(CompareOp.EQ, index, Const(number, index.width)), part, found)
    return found


def insert_lane(b: Builder, inst: InsertLaneInst) -> Expr:
    index, value = b.value(inst.index), b.value(inst.value)
    parts: list[Expr] = []
    for number, part in enumerate(lanes(b, inst.vector)):
        here: Expr = Compare(CompareOp.EQ, index, Const(number, index.width))
        if isinstance(index, Const):
            parts.append(value if index.value == number else _defined(b, part))
        else:
            parts.append(Select(here, value, _defined(b, part)))
    return join(parts)


def shuffle(b: Builder, inst: ShuffleInst) -> Expr:
    both = [*lanes(b, inst.left), *lanes(b, inst.right)]
    width = b.scope.bits(both[0].type)
    return join([Const(0, width) if index is None else _defined(b, both[index]) for index in inst.mask])


def _defined(b: Builder, part: Value) -> Expr:
    """A poisoned lane may be anything once it is read, which is undefined: so also zero."""
    if isinstance(part, Undef) and part.kind == "poison":
        return Const(0, b.scope.bits(part.type))
    return b.value(part)


# --- memory: no access is wider than a word, as with copies ---


def load_vector(b: Builder, inst: LoadInst) -> Expr:
    address = b.assign(b.value(inst.address))
    parts = word_parts(_bytes(b, inst.type), b.scope.types.pointer_bytes)
    return join([b.load(b.moved(address, at), size, _VOLATILITY[inst.volatility]) for at, size in parts])


def store_vector(b: Builder, inst: StoreInst) -> None:
    address = b.assign(b.value(inst.address))
    whole = b.assign(b.value(inst.value))
    for at, size in word_parts(_bytes(b, inst.value.type), b.scope.types.pointer_bytes):
        shifted = Binary(BinaryOp.LSHR, whole, Const(8 * at, whole.width)) if at else whole
        b.store(b.moved(address, at), resized(shifted, 8 * size), size, _VOLATILITY[inst.volatility])


def _bytes(b: Builder, type_: Type) -> int:
    bits = b.scope.bits(type_)
    if bits % 8:
        raise Unlowerable("a vector of bits in memory")
    return bits // 8


def _split(b: Builder, whole: Expr, type_: VectorType) -> list[Expr]:
    bits = b.scope.bits(type_.element)
    return [
        resized(Binary(BinaryOp.LSHR, whole, Const(at * bits, whole.width)) if at else whole, bits)
        for at in range(type_.count)
    ]


def _named(b: Builder, type_: Type, part: Expr) -> LlvmLocal:
    return LlvmLocal(type_, b.assign(part).name.removeprefix("%"))
