"""Rules for one instruction: widths agree, names resolve, calls fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from threadproof.ir.expr import (
    OFFSET_BITS,
    Binary,
    Compare,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatUnary,
    GlobalRef,
    MathCall,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    walk,
)
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Assume,
    Branch,
    Call,
    CompareExchange,
    Free,
    Instr,
    Load,
    Nondet,
    ObjectSize,
    Return,
    Rmw,
    StackRestore,
    StackSave,
    Store,
    Switch,
    Sync,
    all_uses,
    edges,
)
from threadproof.ir.maths import MATH
from threadproof.ir.program import Function, Lifetime, Program
from threadproof.ir.show import show_expr

_PREDICATES = frozenset(f"{nan}{op}" for nan in "ou" for op in ("eq", "ne", "gt", "ge", "lt", "le")) | {
    "ord",
    "uno",
}


@dataclass(frozen=True, slots=True)
class CheckScope:
    """What an instruction may refer to."""

    program: Program
    function: Function
    widths: dict[str, int]  # of the registers written anywhere in the function
    sync_ops: Collection[str] | None

    @property
    def pointer(self) -> int:
        return self.program.data_model.pointer_bits


def instr_problems(instr: Instr, scope: CheckScope) -> Iterator[str]:
    for expr in all_uses(instr):
        yield from expr_problems(expr, scope)
    for edge in edges(instr):
        for dst, value in edge.moves:
            yield from _same("a move", dst.width, value.width)
    match instr:
        case Assign():
            yield from _same("an assignment", instr.dst.width, instr.value.width)
        case Load():
            yield from _address(instr.address, scope)
            yield from _fits(instr.dst.width, instr.size)
        case Store():
            yield from _address(instr.address, scope)
            yield from _fits(instr.value.width, instr.size)
        case Rmw():
            yield from _address(instr.address, scope)
            yield from _same("an atomic operation", instr.dst.width, instr.value.width)
            yield from _fits(instr.value.width, instr.size)
        case CompareExchange():
            yield from _address(instr.address, scope)
            yield from _same("a compare-exchange", instr.old.width, instr.expected.width)
            yield from _same("a compare-exchange", instr.expected.width, instr.desired.width)
            yield from _fits(instr.desired.width, instr.size)
            yield from _truth("the success flag", instr.success)
        case Free() | StackRestore():
            yield from _address(instr.address, scope)
        case ObjectSize():
            yield from _address(instr.address, scope)
        case Alloc() | StackSave():
            yield from _same("an address", instr.dst.width, scope.pointer)
        case Nondet():
            yield from _bounds(instr)
        case Assume() | Branch():
            yield from _truth("the condition", instr.condition)
        case Switch():
            yield from _cases(instr)
        case Call():
            yield from _call(instr, scope)
        case Sync():
            if scope.sync_ops is not None and instr.op not in scope.sync_ops:
                yield f"there is no sync operation {instr.op}"
        case Return():
            yield from _result(instr, scope)
        case _:
            pass


def expr_problems(expr: Expr, scope: CheckScope) -> Iterator[str]:
    for part in walk(expr):
        if part.width < 1:
            yield f"`{show_expr(part)}` has the width {part.width}"
        match part:
            case Const():
                if not 0 <= part.value < 1 << part.width:
                    yield f"the constant {part.value} does not fit in {part.width} bits"
            case Reg():
                if part.name not in scope.widths:
                    yield f"the register {part.name} is read but written nowhere"
            case GlobalRef() | TlsRef():
                yield from _reference(part, scope)
            case Binary() | Compare() | FloatBinary() | FloatCompare():
                yield from _agree(part, part.left, part.right.width)
                if isinstance(part, FloatCompare) and part.predicate not in _PREDICATES:
                    yield f"there is no floating-point predicate {part.predicate}"
            case Convert():
                grows = part.op is not ConvertOp.TRUNC
                if (part.width < part.operand.width) if grows else (part.width > part.operand.width):
                    yield f"`{show_expr(part)}` converts {part.operand.width} bits to {part.width}"
            case Select():
                yield from _truth("the condition of a choice", part.condition)
                yield from _agree(part, part.then, part.otherwise.width)
            case PtrAdd():
                yield from _agree(part, part.base, scope.pointer)
                yield from _agree(part, part.offset, OFFSET_BITS)
            case FloatUnary() | FloatConvert():
                pass
            case MathCall():
                wanted = MATH.get(part.name)
                if wanted is None or [arg.width for arg in part.args] != [wanted.width] * wanted.arity:
                    yield f"`{show_expr(part)}` is no call of a mathematical function"


def _reference(part: GlobalRef | TlsRef, scope: CheckScope) -> Iterator[str]:
    wanted = Lifetime.THREAD if isinstance(part, TlsRef) else Lifetime.PROGRAM
    variable = scope.program.globals.get(part.name)
    if variable is None:
        if isinstance(part, TlsRef) or part.name not in scope.program.functions:
            yield f"the program has nothing called {part.name}"
    elif variable.lifetime is not wanted:
        yield f"{part.name} is referred to as if it lived as long as its {wanted.value}"
    yield from _same(f"the address of {part.name}", part.width, scope.pointer)


def _call(call: Call, scope: CheckScope) -> Iterator[str]:
    if not isinstance(call.callee, str):
        yield from _same("a function pointer", call.callee.width, scope.pointer)
        return
    callee = scope.program.functions.get(call.callee)
    if callee is None:
        yield f"the function {call.callee} does not exist"
        return
    if len(call.args) != len(callee.params):
        yield f"{call.callee} takes {len(callee.params)} arguments, not {len(call.args)}"
        return
    for param, arg in zip(callee.params, call.args, strict=True):
        yield from _same(f"the argument {param.name} of {call.callee}", param.width, arg.width)
    if call.dst is not None:
        yield from _same(f"the result of {call.callee}", call.dst.width, callee.result_width)


def _result(instr: Return, scope: CheckScope) -> Iterator[str]:
    width = 0 if instr.value is None else instr.value.width
    yield from _same("the result", width, scope.function.result_width)


def _cases(switch: Switch) -> Iterator[str]:
    values = [value for value, _ in switch.cases]
    if len(set(values)) < len(values):
        yield "a case appears twice"
    for value in values:
        if not 0 <= value < 1 << switch.value.width:
            yield f"the case {value} does not fit in {switch.value.width} bits"


def _bounds(nondet: Nondet) -> Iterator[str]:
    width = nondet.dst.width
    least, most = (-(1 << (width - 1)), 1 << (width - 1)) if nondet.low < 0 else (0, 1 << width)
    if not least <= nondet.low <= nondet.high < most:
        yield f"the bounds {nondet.low} .. {nondet.high} are no range of {width} bits"


def _address(address: Expr, scope: CheckScope) -> Iterator[str]:
    yield from _same("an address", address.width, scope.pointer)


def _fits(width: int, size: int) -> Iterator[str]:
    if size < 1 or width > size * 8:
        yield f"{width} bits do not fit in {size} bytes"


def _truth(what: str, expr: Expr) -> Iterator[str]:
    if expr.width != 1:
        yield f"{what} is {expr.width} bits wide, not 1"


def _agree(whole: Expr, part: Expr, width: int) -> Iterator[str]:
    if part.width != width:
        yield f"`{show_expr(whole)}` mixes {part.width} and {width} bits"


def _same(what: str, left: int, right: int) -> Iterator[str]:
    if left != right:
        yield f"{what} mixes {left} and {right} bits"
