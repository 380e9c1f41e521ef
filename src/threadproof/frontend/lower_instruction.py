"""What each LLVM instruction means, except calls."""

from __future__ import annotations

from typing import assert_never

from threadproof.frontend.builder import Builder
from threadproof.frontend.constants import BINARY_OPS, gep_offset, offset_pointer, resized
from threadproof.frontend.llvm_module import (
    AllocaInst,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CmpXchgInst,
    CompareInst,
    CondBranchInst,
    DeclareRecord,
    ExtractInst,
    FenceInst,
    GepInst,
    IndirectBranchInst,
    InsertInst,
    Instruction,
    LoadInst,
    Local,
    OddInst,
    PhiInst,
    ReturnInst,
    RmwInst,
    SelectInst,
    StoreInst,
    SwitchInst,
    UnaryInst,
    Undef,
    UnreachableInst,
    Value,
)
from threadproof.frontend.llvm_types import FloatType, IntType, PtrType, Type, VectorType
from threadproof.frontend.lower_call import lower_call
from threadproof.frontend.scope import Scope, Unlowerable
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
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Branch,
    CompareExchange,
    Fence,
    Jump,
    Load,
    Order,
    Return,
    Rmw,
    RmwOp,
    Storage,
    Store,
    Switch,
    Undefined,
    UndefinedKind,
    Volatility,
)

ORDERS = {
    "": Order.PLAIN,
    "unordered": Order.RELAXED,
    "monotonic": Order.RELAXED,
    "acquire": Order.ACQUIRE,
    "release": Order.RELEASE,
    "acq_rel": Order.ACQ_REL,
    "seq_cst": Order.SEQ_CST,
}
_VOLATILITY = {"": Volatility.ORDINARY, "volatile": Volatility.VOLATILE}
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


def lower_instruction(b: Builder, inst: Instruction) -> None:
    match inst:
        case LoadInst():
            size = _access_size(b.scope, inst.type)
            volatility = _VOLATILITY[inst.volatility]
            dst = b.reg(inst.result, inst.type)
            b.emit(Load(dst, b.value(inst.address), size, ORDERS[inst.order], volatility, loc=b.loc))
        case StoreInst():
            size = _access_size(b.scope, inst.value.type)
            value, address = b.value(inst.value), b.value(inst.address)
            b.emit(Store(address, value, size, ORDERS[inst.order], _VOLATILITY[inst.volatility], loc=b.loc))
        case CallInst():
            lower_call(b, inst)
        case (
            BranchInst()
            | CondBranchInst()
            | SwitchInst()
            | IndirectBranchInst()
            | ReturnInst()
            | UnreachableInst()
        ):
            _lower_control(b, inst)
        case AllocaInst():
            _lower_alloca(b, inst)
        case RmwInst() | CmpXchgInst() | FenceInst():
            _lower_atomic(b, inst)
        case PhiInst() | DeclareRecord():
            pass  # phis are moves on edges, declarations were read before
        case OddInst():
            raise Unlowerable(inst.what)
        case (
            GepInst()
            | BinaryInst()
            | CompareInst()
            | CastInst()
            | UnaryInst()
            | SelectInst()
            | ExtractInst()
            | InsertInst()
        ):
            value = _computed(b, inst)
            dst = b.reg(inst.result, _result_type(b.scope, inst))
            b.emit(Assign(dst, value, loc=b.loc))
        case _:
            assert_never(inst)


_Computed = (
    GepInst | BinaryInst | CompareInst | CastInst | UnaryInst | SelectInst | ExtractInst | InsertInst
)


def _result_type(scope: Scope, inst: _Computed) -> Type:
    match inst:
        case GepInst():
            return PtrType()
        case BinaryInst():
            return inst.left.type
        case CompareInst():
            return IntType(1)
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


def _computed(b: Builder, inst: _Computed) -> Expr:
    match inst:
        case GepInst():
            _no_vectors(inst.base, *inst.indices)
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
            _no_vectors(inst.condition)
            return Select(b.value(inst.condition), b.value(inst.then), b.value(inst.otherwise))
        case ExtractInst():
            return _extract(b, inst)
        case InsertInst():
            return _insert(b, inst)


def _binary(b: Builder, inst: BinaryInst) -> Expr:
    _no_vectors(inst.left)
    left, right = b.value(inst.left), b.value(inst.right)
    if inst.opcode in BINARY_OPS:
        return Binary(BINARY_OPS[inst.opcode], left, right)
    _require_float(inst.left.type)
    return FloatBinary(_FLOAT_OPS[inst.opcode], left, right)


def _compare(b: Builder, inst: CompareInst) -> Expr:
    _no_vectors(inst.left)
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
    _no_vectors(inst.value)
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
    if isinstance(inst.aggregate, Local) and inst.aggregate.name in b.pairs and len(inst.indices) == 1:
        return b.pairs[inst.aggregate.name][inst.indices[0]]
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


# --- memory ---


def _access_size(scope: Scope, type_: Type) -> int:
    return (scope.bits(type_) + 7) // 8


def _lower_alloca(b: Builder, inst: AllocaInst) -> None:
    width = b.scope.pointer_bits
    size: Expr = Const(b.scope.size(inst.type), width)
    if inst.count is not None:
        count = resized(b.value(inst.count), width)
        one = size == Const(1, width)
        constant = isinstance(count, Const) and isinstance(size, Const)
        if constant:
            size = const(count.value * size.value, width)  # pyright: ignore[reportAttributeAccessIssue]
        else:
            size = count if one else Binary(BinaryOp.MUL, count, size)
    dst = b.reg(inst.result, PtrType())
    name = b.alloc_names.get(inst.result, dst.name)
    b.emit(Alloc(dst, size, Storage.STACK, name=name, align=max(1, inst.align), loc=b.loc))


def _lower_atomic(b: Builder, inst: RmwInst | CmpXchgInst | FenceInst) -> None:
    match inst:
        case FenceInst():
            if inst.scope != "singlethread":
                b.emit(Fence(ORDERS[inst.order], loc=b.loc))
        case RmwInst():
            if inst.opcode not in _RMW_OPS or not isinstance(inst.value.type, IntType | PtrType):
                raise Unlowerable(f"the atomic operation {inst.opcode}")
            dst = b.reg(inst.result, inst.value.type)
            size = _access_size(b.scope, inst.value.type)
            address, value = b.value(inst.address), b.value(inst.value)
            b.emit(Rmw(dst, _RMW_OPS[inst.opcode], address, value, size, ORDERS[inst.order], loc=b.loc))
        case CmpXchgInst():
            width = b.scope.bits(inst.expected.type)
            size = _access_size(b.scope, inst.expected.type)
            old, success = b.temp(width), b.temp(1)
            b.pairs[inst.result] = (old, success, b.scope.size(inst.expected.type))
            address, expected, desired = b.value(inst.address), b.value(inst.expected), b.value(inst.desired)
            order = ORDERS[inst.order]
            b.emit(CompareExchange(old, success, address, expected, desired, size, order, loc=b.loc))


_RMW_OPS = {op.value: op for op in RmwOp}

# --- control ---


def _lower_control(
    b: Builder,
    inst: BranchInst | CondBranchInst | SwitchInst | IndirectBranchInst | ReturnInst | UnreachableInst,
) -> None:
    match inst:
        case BranchInst():
            b.end(Jump(b.edge(inst.target), loc=b.loc))
        case CondBranchInst():
            condition = b.value(inst.condition)
            b.end(Branch(condition, b.edge(inst.then), b.edge(inst.otherwise), loc=b.loc))
        case SwitchInst():
            value = b.value(inst.value)
            cases = tuple((number & ((1 << value.width) - 1), b.edge(label)) for number, label in inst.cases)
            b.end(Switch(value, cases, b.edge(inst.default), loc=b.loc))
        case IndirectBranchInst():
            _lower_computed_goto(b, inst)
        case ReturnInst():
            b.end(Return(None if inst.value is None else b.value(inst.value), loc=b.loc))
        case UnreachableInst():
            b.end(Undefined(UndefinedKind.UNREACHABLE, loc=b.loc))


def _lower_computed_goto(b: Builder, inst: IndirectBranchInst) -> None:
    from threadproof.ir.instr import Edge

    address = b.value(inst.address)
    targets = dict.fromkeys(inst.targets)
    cases = tuple((b.scope.label_address(b.function, label), b.edge(label)) for label in targets)
    nowhere = b.label("nowhere")
    b.end(Switch(address, cases, Edge(nowhere), loc=b.loc))
    b.go_on(nowhere)
    b.end(Undefined(UndefinedKind.UNREACHABLE, loc=b.loc))


# --- what is left out ---


def _no_vectors(*values: Value) -> None:
    if any(isinstance(value.type, VectorType) for value in values):
        raise Unlowerable("vector arithmetic")


def _require_float(type_: Type) -> None:
    if not (isinstance(type_, FloatType) and type_.bits in (32, 64)):
        name = type_.name if isinstance(type_, FloatType) else "vectors"
        raise Unlowerable(f"arithmetic on {name}")
