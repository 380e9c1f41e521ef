"""Constants: as expressions in instructions, as bytes and relocations in the initial data of variables."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.frontend.llvm.module import (
    BlockAddress,
    ConstExpr,
    LlvmAggregate,
    LlvmLocal,
    LlvmNumber,
    LlvmText,
    Odd,
    Symbol,
    Undef,
    Value,
    Zero,
)
from threadproof.frontend.llvm.types import Type, VectorType
from threadproof.frontend.lower.scope import Scope, Unlowerable
from threadproof.ir.expr import (
    OFFSET_BITS,
    Binary,
    BinaryOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    GlobalRef,
    PtrAdd,
    const,
)
from threadproof.ir.program import Relocation

BINARY_OPS = {
    "add": BinaryOp.ADD,
    "sub": BinaryOp.SUB,
    "mul": BinaryOp.MUL,
    "udiv": BinaryOp.UDIV,
    "sdiv": BinaryOp.SDIV,
    "urem": BinaryOp.UREM,
    "srem": BinaryOp.SREM,
    "shl": BinaryOp.SHL,
    "lshr": BinaryOp.LSHR,
    "ashr": BinaryOp.ASHR,
    "and": BinaryOp.AND,
    "or": BinaryOp.OR,
    "xor": BinaryOp.XOR,
}


def constant(value: Value, scope: Scope) -> Expr:
    """The expression of a constant operand."""
    match value:
        case LlvmNumber():
            return const(value.value, scope.bits(value.type))
        case Zero():
            return Const(0, scope.bits(value.type))
        case Symbol():
            return scope.address(value.name)
        case ConstExpr():
            return _expression(value, scope)
        case BlockAddress():
            return Const(scope.label_address(value.function, value.label), scope.pointer_bits)
        case LlvmText() | LlvmAggregate():
            return _whole(value, scope)
        case Undef():
            raise Unlowerable("an undefined value inside a constant")
        case LlvmLocal() | Odd():
            raise Unlowerable(f"the constant {value.text if isinstance(value, Odd) else value.name}")


def resized(value: Expr, width: int, op: ConvertOp = ConvertOp.ZEXT) -> Expr:
    """`value` cut or extended to `width`; constants are folded."""
    if value.width == width:
        return value
    if isinstance(value, Const):
        number = value.value
        if op is ConvertOp.SEXT and value.value >> (value.width - 1) & 1:
            number -= 1 << value.width
        return const(number, width)
    return Convert(ConvertOp.TRUNC if width < value.width else op, value, width)


def offset_pointer(base: Expr, offset: Expr) -> Expr:
    """`base` moved by `offset` bytes; steps by constants are added up."""
    offset = resized(offset, OFFSET_BITS, ConvertOp.SEXT)
    if isinstance(offset, Const):
        if isinstance(base, PtrAdd) and isinstance(base.offset, Const):
            offset = const(base.offset.value + offset.value, offset.width)
            base = base.base
        if offset.value == 0:
            return base
    return PtrAdd(base, offset)


def gep_offset(source: Type, indices: list[Expr], scope: Scope) -> Expr:
    """Bytes that `getelementptr` adds: constant parts in one number, the others scaled and sign-extended."""
    width = OFFSET_BITS
    fixed, moving = 0, None
    current = source
    for position, index in enumerate(indices):
        if position == 0:
            scale = scope.size(source)
        elif isinstance(index, Const) and scope.is_struct(current):
            offset, current = scope.element(current, index.value)
            fixed += offset
            continue
        else:
            _, current = scope.element(current, 0)
            scale = scope.size(current)
        if isinstance(index, Const):
            fixed += _signed(index) * scale
        elif scale:
            part = scaled(resized(index, width, ConvertOp.SEXT), scale)
            moving = part if moving is None else Binary(BinaryOp.ADD, moving, part)
    if moving is None:
        return const(fixed, width)
    return moving if fixed == 0 else Binary(BinaryOp.ADD, moving, const(fixed, width))


def _signed(number: Const) -> int:
    return number.value - (1 << number.width) if number.value >> (number.width - 1) & 1 else number.value


def scaled(index: Expr, scale: int) -> Expr:
    if isinstance(index, Const):
        return const(index.value * scale, index.width)
    return index if scale == 1 else Binary(BinaryOp.MUL, index, const(scale, index.width))


def _expression(value: ConstExpr, scope: Scope) -> Expr:
    operands = [constant(operand, scope) for operand in value.operands]
    width = scope.bits(value.type)
    match value.opcode:
        case "getelementptr" if value.source is not None:
            return offset_pointer(operands[0], gep_offset(value.source, operands[1:], scope))
        case "sext":
            return resized(operands[0], width, ConvertOp.SEXT)
        case "bitcast" | "ptrtoint" | "ptrtoaddr" | "inttoptr" | "addrspacecast" | "trunc" | "zext":
            return resized(operands[0], width)
        case _ if value.opcode in BINARY_OPS:
            return _binary(BINARY_OPS[value.opcode], operands[0], operands[1])
        case _:
            raise Unlowerable(f"the constant expression {value.opcode}")


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    if op is BinaryOp.ADD and isinstance(right, Const) and isinstance(left, GlobalRef | PtrAdd):
        return offset_pointer(left, right)
    if isinstance(left, Const) and isinstance(right, Const):
        match op:
            case BinaryOp.ADD:
                return const(left.value + right.value, left.width)
            case BinaryOp.SUB:
                return const(left.value - right.value, left.width)
            case _:
                pass
    return Binary(op, left, right)


def _whole(value: LlvmText | LlvmAggregate, scope: Scope) -> Expr:
    """An aggregate as one number."""
    if isinstance(value, LlvmAggregate) and isinstance(value.type, VectorType):
        return _lanes(value, scope)
    image = ConstantImage.of(value, scope)
    if image.relocations:
        raise Unlowerable("an aggregate constant that holds addresses")
    return Const(int.from_bytes(image.data, "little"), 8 * image.size)


def _lanes(value: LlvmAggregate, scope: Scope) -> Expr:
    whole, at = 0, 0
    for part in value.parts:
        lane = constant(part, scope)
        if not isinstance(lane, Const):
            raise Unlowerable("a constant vector that holds addresses")
        whole |= lane.value << at
        at += lane.width
    return Const(whole, at)


@dataclass(slots=True)
class ConstantImage:
    """The bytes a variable starts with. `data` goes as far as something was written; zeros follow."""

    size: int
    data: bytearray = field(default_factory=bytearray)
    relocations: list[Relocation] = field(default_factory=list[Relocation])

    @staticmethod
    def of(value: Value, scope: Scope) -> ConstantImage:
        image = ConstantImage(scope.size(value.type))
        image._put(value, 0, scope)
        return image

    def _put(self, value: Value, offset: int, scope: Scope) -> None:
        match value:
            case Zero() | Undef():
                return  # an undefined byte of a static variable may be anything, so also zero
            case LlvmText():
                self._write(offset, value.data)
            case LlvmAggregate():
                for index, part in enumerate(value.parts):
                    self._put(part, offset + scope.element(value.type, index)[0], scope)
            case _:
                self._put_word(constant(value, scope), offset)

    def _put_word(self, word: Expr, offset: int) -> None:
        match word:
            case Const():
                self._write(offset, word.value.to_bytes((word.width + 7) // 8, "little"))
            case GlobalRef():
                self.relocations.append(Relocation(offset, word.name))
            case PtrAdd(base=GlobalRef() as base, offset=Const() as step):
                self.relocations.append(Relocation(offset, base.name, _signed(step)))
            case _:
                raise Unlowerable("an initialiser that is computed from addresses")

    def _write(self, offset: int, data: bytes) -> None:
        if any(data):
            missing = offset + len(data) - len(self.data)
            self.data.extend(bytes(max(0, missing)))
            self.data[offset : offset + len(data)] = data
