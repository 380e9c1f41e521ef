"""Instructions that compute from registers: arithmetic, comparisons, conversions, parts of aggregates."""

from __future__ import annotations

from threadproof.frontend.llvm.module import (
    BinaryInst,
    CastInst,
    CompareInst,
    ExtractInst,
    ExtractLaneInst,
    GepInst,
    InsertInst,
    InsertLaneInst,
    LlvmLocal,
    SelectInst,
    ShuffleInst,
    UnaryInst,
    Undef,
    Value,
)
from threadproof.frontend.llvm.types import ARITHMETIC, FloatType, IntType, PtrType, Type, VectorType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import BINARY_OPS, gep_offset, offset_pointer, resized
from threadproof.frontend.lower.scope import Scope, Unlowerable
from threadproof.frontend.lower.vectors import extract_lane, insert_lane, is_vector, lane_by_lane, shuffle
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    Select,
    const,
)

_COMPARE = {
    "eq": CompareOp.EQ,
    "ne": CompareOp.NE,
    "ult": CompareOp.ULT,
    "ule": CompareOp.ULE,
    "slt": CompareOp.SLT,
    "sle": CompareOp.SLE,
}
_SWAPPED = {"ugt": CompareOp.ULT, "uge": CompareOp.ULE, "sgt": CompareOp.SLT, "sge": CompareOp.SLE}
_FLOAT_OPS = {
    "fadd": FloatOp.ADD,
    "fsub": FloatOp.SUB,
    "fmul": FloatOp.MUL,
    "fdiv": FloatOp.DIV,
    "frem": FloatOp.REM,
}
_FLOAT_CASTS = {
    "fptrunc": FloatConvertOp.FLOAT_TO_FLOAT,
    "fpext": FloatConvertOp.FLOAT_TO_FLOAT,
    "fptosi": FloatConvertOp.FLOAT_TO_SIGNED,
    "fptoui": FloatConvertOp.FLOAT_TO_UNSIGNED,
    "sitofp": FloatConvertOp.SIGNED_TO_FLOAT,
    "uitofp": FloatConvertOp.UNSIGNED_TO_FLOAT,
}


Computed = (
    GepInst
    | BinaryInst
    | CompareInst
    | CastInst
    | UnaryInst
    | SelectInst
    | ExtractInst
    | InsertInst
    | ExtractLaneInst
    | InsertLaneInst
    | ShuffleInst
)


def result_type(scope: Scope, inst: Computed) -> Type:
    match inst:
        case GepInst():
            return PtrType()
        case BinaryInst():
            return inst.left.type
        case CompareInst():
            type_ = inst.left.type
            return VectorType(type_.count, IntType(1)) if isinstance(type_, VectorType) else IntType(1)
        case ExtractLaneInst():
            return _lane_type(inst.vector)
        case InsertLaneInst():
            return inst.vector.type
        case ShuffleInst():
            return VectorType(len(inst.mask), _lane_type(inst.left))
        case CastInst():
            return inst.type
        case UnaryInst():
            return inst.value.type
        case SelectInst():
            return inst.then.type
        case InsertInst():
            return inst.aggregate.type
        case ExtractInst():
            return _part(scope, inst.aggregate.type, inst.indices)[1]


def _lane_type(vector: Value) -> Type:
    assert isinstance(vector.type, VectorType)
    return vector.type.element


def computed(b: Builder, inst: Computed) -> Expr:
    match inst:
        case BinaryInst() | CompareInst() if is_vector(inst.left):
            return lane_by_lane(b, inst, computed)
        case CastInst() if is_vector(inst.value) and inst.opcode != "bitcast":
            return lane_by_lane(b, inst, computed)
        case UnaryInst() if is_vector(inst.value):
            return lane_by_lane(b, inst, computed)
        case SelectInst() if is_vector(inst.then):
            return lane_by_lane(b, inst, computed)
        case ExtractLaneInst():
            return extract_lane(b, inst)
        case InsertLaneInst():
            return insert_lane(b, inst)
        case ShuffleInst():
            return shuffle(b, inst)
        case GepInst():
            if is_vector(inst.base, *inst.indices):
                raise Unlowerable("a vector of pointers")
            indices = [b.value(index) for index in inst.indices]
            return offset_pointer(b.value(inst.base), gep_offset(inst.source, indices, b.scope))
        case BinaryInst():
            return _binary(b, inst)
        case CompareInst():
            return _compare(b, inst)
        case CastInst():
            return _cast(b, inst)
        case UnaryInst():
            if inst.opcode == "freeze":
                return b.value(inst.value)
            _require_float(inst.value.type)
            return FloatUnary(FloatUnaryOp.NEG, b.value(inst.value))
        case SelectInst():
            return Select(b.value(inst.condition), b.value(inst.then), b.value(inst.otherwise))
        case ExtractInst():
            return _extract(b, inst)
        case InsertInst():
            return _insert(b, inst)


def _binary(b: Builder, inst: BinaryInst) -> Expr:
    left, right = b.value(inst.left), b.value(inst.right)
    if inst.opcode in BINARY_OPS:
        return Binary(BINARY_OPS[inst.opcode], left, right)
    _require_float(inst.left.type)
    return FloatBinary(_FLOAT_OPS[inst.opcode], left, right)


def _compare(b: Builder, inst: CompareInst) -> Expr:
    left, right = b.value(inst.left), b.value(inst.right)
    if inst.opcode == "fcmp":
        _require_float(inst.left.type)
        if inst.predicate in ("true", "false"):
            return Const(int(inst.predicate == "true"), 1)
        return FloatCompare(inst.predicate, left, right)
    if inst.predicate in _SWAPPED:
        return Compare(_SWAPPED[inst.predicate], right, left)
    return Compare(_COMPARE[inst.predicate], left, right)


def _cast(b: Builder, inst: CastInst) -> Expr:
    width = b.scope.bits(inst.type)
    if inst.opcode == "bitcast":
        return b.value(inst.value)
    if inst.opcode in _FLOAT_CASTS:
        for type_ in (inst.value.type, inst.type):
            if not isinstance(type_, IntType):
                _require_float(type_)
        return FloatConvert(_FLOAT_CASTS[inst.opcode], b.value(inst.value), width)
    op = ConvertOp.SEXT if inst.opcode == "sext" else ConvertOp.ZEXT
    return resized(b.value(inst.value), width, op)


# --- aggregates in registers ---


def _part(scope: Scope, type_: Type, indices: tuple[int, ...]) -> tuple[int, Type]:
    """Byte offset and type of a part of an aggregate."""
    total = 0
    for index in indices:
        offset, type_ = scope.element(type_, index)
        total += offset
    return total, type_


def _extract(b: Builder, inst: ExtractInst) -> Expr:
    if isinstance(inst.aggregate, LlvmLocal) and inst.aggregate.name in b.pairs and len(inst.indices) == 1:
        first, flag, _ = b.pairs[inst.aggregate.name]
        return flag if inst.indices[0] else first
    offset, type_ = _part(b.scope, inst.aggregate.type, inst.indices)
    whole = b.value(inst.aggregate)
    if offset:
        whole = Binary(BinaryOp.LSHR, whole, Const(8 * offset, whole.width))
    return resized(whole, b.scope.bits(type_))


def _insert(b: Builder, inst: InsertInst) -> Expr:
    offset, _ = _part(b.scope, inst.aggregate.type, inst.indices)
    part = b.value(inst.value)
    width = b.scope.bits(inst.aggregate.type)
    shifted = resized(part, width)
    if offset:
        shifted = Binary(BinaryOp.SHL, shifted, Const(8 * offset, width))
    if isinstance(inst.aggregate, Undef) and inst.aggregate.kind == "poison":
        return shifted  # reading the parts never set would be undefined, so they may as well be zero
    mask = ((1 << part.width) - 1) << (8 * offset)
    kept = Binary(BinaryOp.AND, b.value(inst.aggregate), const(~mask, width))
    return Binary(BinaryOp.OR, kept, shifted)


# --- what is left out ---


def _require_float(type_: Type) -> None:
    if not (isinstance(type_, FloatType) and type_.name in ARITHMETIC):
        name = type_.name if isinstance(type_, FloatType) else "vectors"
        raise Unlowerable(f"arithmetic on {name}")
