"""Expressions and instructions as text, for people.

The notation is C's, with the few signs C lacks:

- signed is the ordinary case (`<`, `/`, `>>`); unsigned operations carry a `u` (`<u`, `/u`, `>>u`)
- constants are shown as signed numbers, truth values as `0` and `1`
- `&x` is the address of a global, `&tls x` that of the running thread's instance
- `p +p 8` is pointer arithmetic, which stays with its object, unlike the `+` of numbers
- `r:32` where a register is written says its width; where it is read the width is left out
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from threadproof.ir.ctypes import signed
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatOp,
    FloatUnary,
    GlobalRef,
    MathCall,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
)
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Assume,
    Branch,
    Call,
    CompareExchange,
    Edge,
    Error,
    Fence,
    Fill,
    Free,
    Halt,
    Instr,
    Jump,
    Load,
    Nondet,
    ObjectSize,
    Order,
    Return,
    Rmw,
    StackRestore,
    StackSave,
    Store,
    Switch,
    Sync,
    Undefined,
    Unsupported,
    Volatility,
)

_SELECT, _COMPARE, _OR, _XOR, _AND, _SHIFT, _SUM, _PRODUCT, _UNARY, _ATOM = range(1, 11)

_BINARY: dict[BinaryOp, tuple[str, int]] = {
    BinaryOp.ADD: ("+", _SUM),
    BinaryOp.SUB: ("-", _SUM),
    BinaryOp.MUL: ("*", _PRODUCT),
    BinaryOp.UDIV: ("/u", _PRODUCT),
    BinaryOp.SDIV: ("/", _PRODUCT),
    BinaryOp.UREM: ("%u", _PRODUCT),
    BinaryOp.SREM: ("%", _PRODUCT),
    BinaryOp.SHL: ("<<", _SHIFT),
    BinaryOp.LSHR: (">>u", _SHIFT),
    BinaryOp.ASHR: (">>", _SHIFT),
    BinaryOp.AND: ("&", _AND),
    BinaryOp.OR: ("|", _OR),
    BinaryOp.XOR: ("^", _XOR),
}
_COMPARISON: dict[CompareOp, str] = {
    CompareOp.EQ: "==",
    CompareOp.NE: "!=",
    CompareOp.ULT: "<u",
    CompareOp.ULE: "<=u",
    CompareOp.SLT: "<",
    CompareOp.SLE: "<=",
}
_FLOAT = {
    FloatOp.ADD: _SUM,
    FloatOp.SUB: _SUM,
    FloatOp.MUL: _PRODUCT,
    FloatOp.DIV: _PRODUCT,
    FloatOp.REM: _PRODUCT,
}
_BITWISE = (_AND, _XOR, _OR)

Leaf = Callable[[Expr], str | None]
"""How an operator shows its constant operands: None leaves it to the ordinary way."""


def show_expr(expr: Expr) -> str:
    return _expr(expr)[0]


def show_instr(instr: Instr) -> str:
    """One line, without the source position."""
    match instr:
        case Assign():
            return f"{_def(instr.dst)} := {show_expr(instr.value)}"
        case Load():
            how = _marks("load", instr.order, instr.volatility)
            size = _size(instr.size, instr.dst.width)
            return f"{_def(instr.dst)} := {how} {show_expr(instr.address)}{size}"
        case Store():
            how = _marks("store", instr.order, instr.volatility)
            value = f"{show_expr(instr.address)}, {_wide(instr.value)}"
            return f"{how} {value}{_size(instr.size, instr.value.width)}"
        case Alloc():
            fill = " of zeros" if instr.fill is Fill.ZERO else ""
            for_name = f" for {instr.name}" if instr.name else ""
            return f"{_def(instr.dst)} := alloc {instr.storage.value} {_bytes(instr.size)}{fill}{for_name}"
        case Free():
            return f"free {show_expr(instr.address)}"
        case ObjectSize():
            return f"{_def(instr.dst)} := size of the block at {show_expr(instr.address)}"
        case StackSave():
            return f"{_def(instr.dst)} := stack save"
        case StackRestore():
            return f"stack restore {show_expr(instr.address)}"
        case Rmw():
            how = _marks(f"atomic {instr.op.value}", instr.order, Volatility.ORDINARY)
            return f"{_def(instr.dst)} := {how} {show_expr(instr.address)}, {_wide(instr.value)}"
        case CompareExchange():
            how = _marks("atomic cmpxchg", instr.order, Volatility.ORDINARY)
            values = f"{show_expr(instr.address)}, {_wide(instr.expected)} -> {show_expr(instr.desired)}"
            return f"{_def(instr.old)}, {_def(instr.success)} := {how} {values}"
        case Fence():
            return _marks("fence", instr.order, Volatility.ORDINARY)
        case Call():
            callee = instr.callee if isinstance(instr.callee, str) else f"*({show_expr(instr.callee)})"
            return f"{_result(instr.dst)}call {callee}({_list(instr.args)})"
        case Sync():
            return f"{_result(instr.dst)}sync {instr.op}({_list(instr.args)})"
        case Nondet():
            return f"{_def(instr.dst)} := any of {instr.low} .. {instr.high} ({instr.source})"
        case Assume():
            return f"assume {show_expr(instr.condition)}"
        case Error():
            return f"error {instr.kind.value}: {instr.message}"
        case Halt():
            return f"{instr.kind.value} (ends all threads)"
        case Undefined():
            return f"undefined behaviour: {instr.kind.value}"
        case Unsupported():
            return f"unsupported: {instr.construct}"
        case Jump():
            return f"goto {show_edge(instr.edge)}"
        case Branch():
            ways = f"then {show_edge(instr.then)} else {show_edge(instr.otherwise)}"
            return f"if {show_expr(instr.condition)} {ways}"
        case Switch():
            width = instr.value.width
            cases = [f"case {signed(value, width)}: {show_edge(edge)}" for value, edge in instr.cases]
            ways = "; ".join([*cases, f"else {show_edge(instr.default)}"])
            return f"switch {show_expr(instr.value)} {{ {ways} }}"
        case Return():
            return "return" if instr.value is None else f"return {show_expr(instr.value)}"


def show_edge(edge: Edge) -> str:
    """`b3 (x := 1, y := x)`: the moves happen together, on the way."""
    return f"{edge.target} ({show_moves(edge)})" if edge.moves else edge.target


def show_moves(edge: Edge) -> str:
    return ", ".join(f"{dst.name} := {show_expr(value)}" for dst, value in edge.moves)


def _integer(expr: Expr) -> str | None:
    return str(signed(expr.value, expr.width)) if isinstance(expr, Const) and expr.width > 1 else None


def _float(expr: Expr) -> str | None:
    """A constant operand of a floating-point operation as the number it is."""
    if not isinstance(expr, Const) or expr.width not in (32, 64):
        return None
    code = "<f" if expr.width == 32 else "<d"
    return repr(struct.unpack(code, expr.value.to_bytes(expr.width // 8, "little"))[0])


def _expr(expr: Expr) -> tuple[str, int]:
    """Text and how tightly its outermost sign binds."""
    match expr:
        case Const():
            return str(expr.value if expr.width == 1 else signed(expr.value, expr.width)), _ATOM
        case Reg():
            return expr.name, _ATOM
        case GlobalRef():
            return f"&{expr.name}", _ATOM
        case TlsRef():
            return f"&tls {expr.name}", _UNARY
        case Binary(op=BinaryOp.XOR, right=Const(value=1, width=1)):
            return f"!{_inside(expr.left, _UNARY)}", _UNARY
        case Binary():
            sign, level = _BINARY[expr.op]
            return _infix(expr.left, sign, expr.right, level), level
        case Compare():
            return _infix(expr.left, _COMPARISON[expr.op], expr.right, _COMPARE), _COMPARE
        case PtrAdd():
            return _infix(expr.base, "+p", expr.offset, _SUM), _SUM
        case Convert():
            return f"{expr.op.value}{expr.width}({show_expr(expr.operand)})", _ATOM
        case Select():
            parts = [_inside(part, _COMPARE) for part in (expr.condition, expr.then)]
            return f"{parts[0]} ? {parts[1]} : {_inside(expr.otherwise, _SELECT)}", _SELECT
        case FloatBinary():
            level = _FLOAT[expr.op]
            return _infix(expr.left, expr.op.value, expr.right, level, _float), level
        case FloatCompare():
            return _infix(expr.left, f"f{expr.predicate}", expr.right, _COMPARE, _float), _COMPARE
        case FloatUnary():
            return f"{expr.op.value}({_float(expr.operand) or show_expr(expr.operand)})", _ATOM
        case FloatConvert():
            return f"{expr.op.value}{expr.width}({show_expr(expr.operand)})", _ATOM
        case MathCall():
            args = ", ".join(_float(arg) or show_expr(arg) for arg in expr.args)
            return f"{'errno of ' * expr.errno}{expr.name}({args})", _ATOM


def _infix(left: Expr, sign: str, right: Expr, level: int, leaf: Leaf = _integer) -> str:
    """All signs associate to the left, except that comparisons do not associate at all."""
    shown_left = leaf(left) or _inside(left, level + (level == _COMPARE), level)
    shown_right = leaf(right) or _inside(right, level + 1, level)
    return f"{shown_left} {sign} {shown_right}"


def _inside(expr: Expr, least: int, around: int = _ATOM) -> str:
    """`expr` in a place that needs it to bind at least so tightly.

    C lets `&` bind weaker than `==` and Python the other way round: that pair always gets its parentheses.
    """
    text, level = _expr(expr)
    confusing = {around, level} & set(_BITWISE) and _COMPARE in (around, level)
    return f"({text})" if level < least or confusing else text


def _def(reg: Reg) -> str:
    return f"{reg.name}:{reg.width}"


def _result(dst: Reg | None) -> str:
    return "" if dst is None else f"{_def(dst)} := "


def _list(args: Sequence[Expr]) -> str:
    return ", ".join(show_expr(arg) for arg in args)


def _wide(value: Expr) -> str:
    """A value whose width nothing else on the line tells: constants get it as a suffix."""
    text = show_expr(value)
    return f"{text}:{value.width}" if isinstance(value, Const) else text


def _size(size: int, width: int) -> str:
    """Said only when it is not simply the width of the value."""
    return "" if size * 8 == width else f" ({size} byte{'' if size == 1 else 's'})"


def _bytes(size: Expr) -> str:
    if isinstance(size, Const):
        return f"{size.value} byte{'' if size.value == 1 else 's'}"
    return f"{_inside(size, _UNARY)} bytes"


def _marks(word: str, order: Order, volatility: Volatility) -> str:
    order_mark = "" if order is Order.PLAIN else f".{order.value}"
    return word + order_mark + (".volatile" if volatility is Volatility.VOLATILE else "")
