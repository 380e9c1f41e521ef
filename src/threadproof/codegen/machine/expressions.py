"""Expressions as C on unsigned 64-bit numbers. What can trap becomes a statement of its own, left to right.

A value of width w is a number below 2**w, as in the reference semantics. Widths over 64 bits have no C here.
"""

from __future__ import annotations

from threadproof.codegen.machine.numbering import Body, KnownAddress, Numbering
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    GlobalRef,
    MathCall,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    walk,
)
from threadproof.ir.maths import NAMES

_SIMPLE = {
    BinaryOp.ADD: "+",
    BinaryOp.SUB: "-",
    BinaryOp.MUL: "*",
    BinaryOp.AND: "&",
    BinaryOp.OR: "|",
    BinaryOp.XOR: "^",
}
_BITWISE = (BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR)
_SHIFTS = (BinaryOp.SHL, BinaryOp.LSHR, BinaryOp.ASHR)
_FLOAT = {FloatOp.ADD: "+", FloatOp.SUB: "-", FloatOp.MUL: "*"}
_RELATION = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
FIT = "conversion of a floating-point number that does not fit the integer type"


class NoNativeMeaning(Exception):
    """The construct has no native meaning: the instruction says so when it is reached."""


def number(value: int) -> str:
    return f"{value}ULL"


def masked(text: str, width: int) -> str:
    match width:
        case 64:
            return text
        case 8 | 16 | 32:
            return f"(u64)(u{width})({text})"
        case _:
            return f"(({text}) & {number((1 << width) - 1)})"


def signed(text: str, width: int) -> str:
    match width:
        case 64:
            return f"(i64)({text})"
        case 32:
            return f"(i64)(i32)({text})"
        case _:
            return f"((i64)((u64)({text}) << {64 - width}) >> {64 - width})"


class ExpressionWriter:
    """Writes the body of one operation; expressions that trap return from it."""

    def __init__(self, numbering: Numbering, body: Body | None, names: dict[str, str] | None = None) -> None:
        self.numbering = numbering
        self.body = body
        self.lines: list[str] = []
        self._names = names or {}
        self._temps = 0

    def line(self, text: str) -> None:
        self.lines.append(text)

    def temp(self, text: str, kind: str = "u64") -> str:
        self._temps += 1
        name = f"v{self._temps}"
        self.line(f"{kind} {name} = {text};")
        return name

    def guard(self, call: str) -> None:
        """Return what the call answers unless that is 0."""
        self.line(f"{{ int e = {call}; if (UNLIKELY(e)) return e; }}")

    def text(self, what: str) -> int:
        return self.numbering.texts.number(what)

    # --- expressions -------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> str:
        if any(part.width > 64 for part in walk(expr)):
            raise NoNativeMeaning("values of more than 64 bits")
        return self._value(expr)

    def _value(self, expr: Expr) -> str:
        match expr:
            case Const():
                return number(expr.value)
            case Reg():
                return self._reg(expr)
            case GlobalRef():
                return number(self.numbering.layout.address(expr.name))
            case TlsRef():
                offset = self.numbering.layout.tls[expr.name]
                return f"(arena_of(number_of(S, T)) + {offset})"
            case Binary():
                return self._binary(expr)
            case Compare():
                return self._compare(expr)
            case Convert():
                return self._convert(expr)
            case Select():
                return self._select(expr)
            case PtrAdd():
                return self._ptr_add(expr)
            case FloatBinary():
                return self._float_binary(expr)
            case FloatUnary():
                return self._float_unary(expr)
            case FloatCompare():
                return self._float_compare(expr)
            case FloatConvert():
                return self._float_convert(expr)
            case MathCall():
                return self._math_call(expr)

    def _reg(self, expr: Reg) -> str:
        given = self._names.get(expr.name)
        if given is not None:
            return given
        assert self.body is not None
        if expr.name in self.body.masks:
            raise NoNativeMeaning("a copied value that is looked at")
        return f"R[{self.body.slots[expr.name]}]"

    def _binary(self, expr: Binary) -> str:
        left, right, width = self._value(expr.left), self._value(expr.right), expr.width
        simple = _SIMPLE.get(expr.op)
        if simple is not None:
            text = f"({left} {simple} {right})"
            return text if expr.op in _BITWISE else masked(text, width)
        if expr.op in _SHIFTS:
            return self._shift(expr.op, left, right, width)
        right = self.temp(right)
        self.line(f"if (UNLIKELY(!{right})) return trap_at(C, UB_DIVISION, NO_NAME);")
        match expr.op:
            case BinaryOp.UDIV:
                return self.temp(f"{left} / {right}")
            case BinaryOp.UREM:
                return self.temp(f"{left} % {right}")
            case _:
                x, y = self.temp(signed(left, width), "i64"), self.temp(signed(right, width), "i64")
                if expr.op is BinaryOp.SDIV:
                    return self.temp(masked(f"(u64)({y} == -1 ? (i64)(0 - (u64){x}) : {x} / {y})", width))
                return self.temp(masked(f"(u64)({y} == -1 ? 0 : {x} % {y})", width))

    def _shift(self, op: BinaryOp, left: str, right: str, width: int) -> str:
        amount = self.temp(right)
        self.line(f"if (UNLIKELY({amount} >= {width})) return trap_at(C, UB_SHIFT, NO_NAME);")
        match op:
            case BinaryOp.SHL:
                return self.temp(masked(f"((u64){left} << {amount})", width))
            case BinaryOp.LSHR:
                return self.temp(f"(u64){left} >> {amount}")
            case _:
                return self.temp(masked(f"(u64)({signed(left, width)} >> {amount})", width))

    def _compare(self, expr: Compare) -> str:
        left, right, width = self._value(expr.left), self._value(expr.right), expr.left.width
        match expr.op:
            case CompareOp.EQ | CompareOp.NE:
                return f"(u64)({left} {expr.op.value} {right})"
            case CompareOp.ULT | CompareOp.ULE:
                return f"(u64)((u64)({left}) {expr.op.value[:-1]} (u64)({right}))"
            case CompareOp.SLT | CompareOp.SLE:
                return f"(u64)({signed(left, width)} {expr.op.value[:-1]} {signed(right, width)})"

    def _convert(self, expr: Convert) -> str:
        operand = self._value(expr.operand)
        match expr.op:
            case ConvertOp.ZEXT:
                return operand
            case ConvertOp.TRUNC:
                return masked(operand, expr.width)
            case ConvertOp.SEXT:
                return masked(f"(u64){signed(operand, expr.operand.width)}", expr.width)

    def _select(self, expr: Select) -> str:
        """Only the chosen side is evaluated: what the other one would trap on does not happen."""
        condition = self._value(expr.condition)
        outer, self.lines = self.lines, []
        then = self._value(expr.then)
        then_lines, self.lines = self.lines, []
        otherwise = self._value(expr.otherwise)
        otherwise_lines, self.lines = self.lines, outer
        if not then_lines and not otherwise_lines:
            return f"({condition} ? (u64)({then}) : (u64)({otherwise}))"
        result = self.temp("0")
        self.line(f"if ({condition}) {{ {' '.join(then_lines)} {result} = {then}; }}")
        self.line(f"else {{ {' '.join(otherwise_lines)} {result} = {otherwise}; }}")
        return result

    def _ptr_add(self, expr: PtrAdd) -> str:
        whole = self.known(expr)
        if whole is not None:
            return self.address(whole)
        known = self.known(expr.base)
        base = self._value(expr.base) if known is None else self.address(known)
        offset = self.temp(signed(self._value(expr.offset), expr.offset.width), "i64")
        if known is None:
            result = self.temp("0")
            self.guard(f"pointer_add(S, C, {base}, {offset}, &{result})")
            return result
        half = self.numbering.layout.plan.red_zone // 2
        low, high = -half - known.offset, known.size + half - known.offset
        far = self.text("a pointer far outside its object")
        self.line(f"if (UNLIKELY({offset} < {low}LL || {offset} >= {high}LL)) return not_native(C, {far});")
        return self.temp(f"{base} + (u64){offset}")

    def known(self, address: Expr) -> KnownAddress | None:
        return None if self.body is None else self.numbering.known(self.body, address)

    def address(self, known: KnownAddress) -> str:
        match known.kind:
            case "global":
                return number(self.numbering.by_name[known.key].address + known.offset)
            case "tls":
                placed = self.numbering.by_name[known.key]
                return f"(arena_of(number_of(S, T)) + {placed.address} + (u64){known.offset}LL)"
            case _:
                assert self.body is not None
                return f"(R[{self.body.slots[known.key]}] + (u64){known.offset}LL)"

    # --- floating point ----------------------------------------------------------------------------------------------

    def _float(self, expr: Expr) -> str:
        if expr.width not in (32, 64):
            raise NoNativeMeaning(f"{expr.width}-bit floating point")
        return f"from_bits{expr.width}({self._value(expr)})"

    def _float_binary(self, expr: FloatBinary) -> str:
        left, right = self._float(expr.left), self._float(expr.right)
        if expr.op is FloatOp.REM:
            raise NoNativeMeaning("the remainder of floating-point numbers")
        text = f"divide({left}, {right})" if expr.op is FloatOp.DIV else f"{left} {_FLOAT[expr.op]} {right}"
        return f"to_bits{expr.width}({text})"

    def _float_unary(self, expr: FloatUnary) -> str:
        sign = 1 << (expr.width - 1)
        match expr.op:
            case FloatUnaryOp.NEG:
                return f"({self._value(expr.operand)} ^ {number(sign)})"
            case FloatUnaryOp.ABS:
                return f"({self._value(expr.operand)} & {number(sign - 1)})"
            case FloatUnaryOp.SQRT:
                return f"to_bits{expr.width}(square_root({self._float(expr.operand)}))"
            case FloatUnaryOp.FLOOR:
                return f"to_bits{expr.width}(rounded({self._float(expr.operand)}, -1))"
            case FloatUnaryOp.CEIL:
                return f"to_bits{expr.width}(rounded({self._float(expr.operand)}, 1))"
            case FloatUnaryOp.TRUNC:
                return f"to_bits{expr.width}(rounded({self._float(expr.operand)}, 0))"

    def _float_compare(self, expr: FloatCompare) -> str:
        x = self.temp(self._float(expr.left), "double")
        y = self.temp(self._float(expr.right), "double")
        unordered = f"({x} != {x} || {y} != {y})"
        match expr.predicate:
            case "true" | "false":
                return str(int(expr.predicate == "true"))
            case "uno":
                return f"(u64){unordered}"
            case "ord":
                return f"(u64)!{unordered}"
            case predicate:
                otherwise = int(predicate[0] == "u")
                return f"(u64)({unordered} ? {otherwise} : {x} {_RELATION[predicate[1:]]} {y})"

    def _float_convert(self, expr: FloatConvert) -> str:
        source, target = expr.operand.width, expr.width
        match expr.op:
            case FloatConvertOp.FLOAT_TO_FLOAT:
                return f"to_bits{self._float_width(target)}({self._float(expr.operand)})"
            case FloatConvertOp.SIGNED_TO_FLOAT | FloatConvertOp.UNSIGNED_TO_FLOAT:
                operand = self._value(expr.operand)
                is_signed = expr.op is FloatConvertOp.SIGNED_TO_FLOAT
                integer = signed(operand, source) if is_signed else f"(u64)({operand})"
                kind = "float" if self._float_width(target) == 32 else "double"
                return f"to_bits{target}((double)({kind})({integer}))"
            case FloatConvertOp.FLOAT_TO_SIGNED | FloatConvertOp.FLOAT_TO_UNSIGNED:
                way = "signed" if expr.op is FloatConvertOp.FLOAT_TO_SIGNED else "unsigned"
                x = self.temp(self._float(expr.operand), "double")
                refusal = f"unsupported(C, {self.text(FIT)}, NO_NAME)"
                self.line(f"if (UNLIKELY(!fits_{way}({x}, {target}))) return {refusal};")
                kind = "(u64)(i64)" if way == "signed" else "(u64)"
                return self.temp(masked(f"{kind}{x}", target))

    def _math_call(self, expr: MathCall) -> str:
        """Through the table that `native` fills in: the very functions that the reference semantics calls."""
        width, number_ = expr.args[0].width, NAMES.index(expr.name)
        args = ", ".join([*map(self._float, expr.args), "0"][:2])
        called = f"{'math_errno' if expr.errno else 'math_value'}({number_}, {width}, {len(expr.args)}, {args})"
        return called if expr.errno else f"to_bits{width}({called})"

    def _float_width(self, width: int) -> int:
        if width not in (32, 64):
            raise NoNativeMeaning(f"{width}-bit floating point")
        return width
