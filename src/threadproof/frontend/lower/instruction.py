"""What each LLVM instruction means, except calls."""

from __future__ import annotations

from typing import assert_never

from threadproof.frontend.llvm.module import (
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
    ExtractLaneInst,
    FenceInst,
    GepInst,
    IndirectBranchInst,
    InsertInst,
    InsertLaneInst,
    Instruction,
    LoadInst,
    OddInst,
    PhiInst,
    ReturnInst,
    RmwInst,
    SelectInst,
    ShuffleInst,
    StoreInst,
    SwitchInst,
    UnaryInst,
    UnreachableInst,
)
from threadproof.frontend.llvm.types import IntType, PtrType, Type, VectorType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.call import lower_call
from threadproof.frontend.lower.locals import lower_alloca
from threadproof.frontend.lower.scope import Scope, Unlowerable
from threadproof.frontend.lower.values import computed, result_type
from threadproof.frontend.lower.vectors import load_vector, store_vector
from threadproof.ir.instr import (
    Assign,
    Branch,
    CompareExchange,
    Edge,
    Fence,
    Jump,
    Load,
    Order,
    Return,
    Rmw,
    RmwOp,
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


def lower_instruction(b: Builder, inst: Instruction) -> None:
    match inst:
        case LoadInst() if isinstance(inst.type, VectorType):
            b.emit(Assign(b.reg(inst.result, inst.type), load_vector(b, inst), loc=b.loc))
        case StoreInst() if isinstance(inst.value.type, VectorType):
            store_vector(b, inst)
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
        case BranchInst() | CondBranchInst() | SwitchInst() | IndirectBranchInst() | ReturnInst() | UnreachableInst():
            _lower_control(b, inst)
        case AllocaInst():
            lower_alloca(b, inst)
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
            | ExtractLaneInst()
            | InsertLaneInst()
            | ShuffleInst()
        ):
            value = computed(b, inst)
            dst = b.reg(inst.result, result_type(b.scope, inst))
            b.emit(Assign(dst, value, loc=b.loc))
        case _:
            assert_never(inst)


# --- memory ---


def _access_size(scope: Scope, type_: Type) -> int:
    return (scope.bits(type_) + 7) // 8


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
            if inst.weak:
                b.scope.demand.uses.assume("a weak compare-exchange does not fail without a reason")
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
    address = b.value(inst.address)
    targets = dict.fromkeys(inst.targets)
    cases = tuple((b.scope.label_address(b.function, label), b.edge(label)) for label in targets)
    nowhere = b.label("nowhere")
    b.end(Switch(address, cases, Edge(nowhere), loc=b.loc))
    b.go_on(nowhere)
    b.end(Undefined(UndefinedKind.UNREACHABLE, loc=b.loc))
