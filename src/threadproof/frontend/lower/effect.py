"""Library functions: what a row of the sync table says becomes instructions."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from threadproof.core.printable import printable
from threadproof.frontend.llvm.module import CallInst
from threadproof.frontend.llvm.types import PtrType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.formats import constant_text, lower_print, lower_scan
from threadproof.frontend.lower.havoc import forget, lower_havoc
from threadproof.frontend.lower.intrinsics import lower_math_call
from threadproof.frontend.lower.jumps import lower_jump
from threadproof.frontend.lower.look import looked_at, lower_look
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Reg, Select, const
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Assume,
    Branch,
    Call,
    Edge,
    Error,
    ErrorKind,
    Free,
    Halt,
    Jump,
    Nondet,
    Storage,
    Sync,
    without_body,
)
from threadproof.ir.program import Taken
from threadproof.sync.facts import FACTS, Seen
from threadproof.sync.families.common import LATE, PREVIOUS
from threadproof.sync.objects import STATE_OF
from threadproof.sync.operations import EBUSY, EINVAL, ETIMEDOUT, OPERATIONS, Guarded
from threadproof.sync.rows import (
    Allocates,
    Asserts,
    Assumes,
    Computes,
    Does,
    Fails,
    Frees,
    Gives,
    GivesAny,
    Halts,
    InRuntime,
    Jumps,
    NoMeaning,
    Prints,
    Results,
    Row,
    Scans,
)
from threadproof.sync.table import NONDET

_THRD_ERROR = 2
_CLOCKS = 2  # CLOCK_REALTIME and CLOCK_MONOTONIC
_THRD_CODES = ((0, 0), (EBUSY, 1), (ETIMEDOUT, 4))
_ASSERTION_TEXT = ("__assert_fail", "__assert", "__assert_rtn")


def lower_effect(b: Builder, inst: CallInst, row: Row, dst: Reg | None) -> None:
    effect = row.effect
    for look in row.looks or looked_at(b, row):
        lower_look(b, _argument(b, inst, row, look.arg), look)
    match effect:
        case Does():
            _lower_operations(b, inst, row, effect, dst)
        case Gives():
            if row.time_arg is not None:
                _late(b, inst, row, row.time_arg)
            if dst is not None:
                b.emit(Assign(dst, const(effect.value, dst.width), loc=b.loc))
        case GivesAny():
            if row.name.startswith(NONDET):
                _lower_any_object(b, inst, row)
            if dst is not None and ("nondet" in row.name or b.is_used(inst.result)):
                low, high = _range(effect, dst.width)
                b.emit(Nondet(dst, row.name, low, high, loc=b.loc))
        case Assumes():
            b.emit(Assume(_holds(_argument(b, inst, row, effect.arg)), loc=b.loc))
        case Asserts():
            _lower_assert(b, inst, _holds(_argument(b, inst, row, effect.arg)))
        case Fails():
            b.emit(Error(effect.kind, _message(b, inst, row, effect), loc=b.loc))
        case Halts():
            b.emit(Halt(effect.kind, loc=b.loc))
        case Allocates():
            _lower_allocation(b, inst, row, effect, dst)
        case Frees():
            b.emit(Free(_argument(b, inst, row, effect.arg), loc=b.loc))
        case Prints():
            lower_print(b, inst, row, effect, dst)
        case Scans():
            lower_scan(b, inst, row.name, effect.format_arg, dst)
        case Jumps():
            lower_jump(b, inst, row.name, dst)
        case Computes():
            if dst is not None:
                lower_math_call(b, inst, row.name)
        case NoMeaning():
            raise Unlowerable(f"the function {row.name}")
        case InRuntime():
            raise Unlowerable(f"the function {row.name}, which the runtime library lacks")
        case _:
            assert_never(effect)


def lower_external(b: Builder, inst: CallInst, name: str, dst: Reg | None) -> None:
    """A function nobody knows: the user says what it is taken to do."""
    taken = b.scope.demand.uses.call_of_missing(name, b.loc)
    if taken is Taken.UNKNOWN:
        raise Unlowerable(without_body(name))
    for arg in inst.args:
        if arg.sret is not None:
            forget(b, b.value(arg.value), b.scope.size(arg.sret))  # its result, in memory
    if taken is Taken.HAVOC:
        lower_havoc(b, inst, name)
    result = b.temp(32) if dst is None else dst  # a result nobody reads is no choice, but the call stays a step
    b.emit(Nondet(result, name, 0, (1 << result.width) - 1, loc=b.loc))


def _lower_any_object(b: Builder, inst: CallInst, row: Row) -> None:
    """A structure is returned in memory. Other pointers say that the function fills what they point to."""
    for arg in inst.args:
        if arg.sret is not None:
            forget(b, b.value(arg.value), b.scope.size(arg.sret))
        elif isinstance(arg.value.type, PtrType):
            raise Unlowerable(f"{row.name} with a pointer")


def _argument(b: Builder, inst: CallInst, row: Row, index: int) -> Expr:
    if index >= len(inst.args):
        raise Unlowerable(f"a call of {row.name} with {len(inst.args)} arguments")
    return b.value(inst.args[index].value)


def _lower_operations(b: Builder, inst: CallInst, row: Row, effect: Does, dst: Reg | None) -> None:
    if row.results is Results.C11 and dst is not None:
        plain = b.temp(32)
        _lower_operations(b, inst, replace(row, results=Results.POSIX), effect, plain)
        b.emit(Assign(dst, resized(_c11(plain), dst.width), loc=b.loc))
        return
    if _only_tells(effect) and not b.is_used(inst.result):
        return
    _need_room(b, row, effect)
    if row.clock_arg is not None:
        clock = _argument(b, inst, row, row.clock_arg)
        row = replace(row, clock_arg=None)
        if not isinstance(clock, Const) or clock.value >= _CLOCKS:
            invalid = Compare(CompareOp.ULT, const(_CLOCKS - 1, clock.width), clock)
            _unless_invalid(b, inst, row, effect, dst, invalid)
            return
    if row.time_arg is not None and not any(LATE in use.args for use in effect.uses):
        late = _late(b, inst, row, row.time_arg)
        invalid = Compare(CompareOp.EQ, late, const(EINVAL, 32))
        _unless_invalid(b, inst, replace(row, time_arg=None), effect, dst, invalid)
        return
    previous: Reg | None = None
    for number, use in enumerate(effect.uses):
        args: list[Expr] = []
        for index in use.args:
            if index == LATE:
                assert row.time_arg is not None, row.name
                args.append(_late(b, inst, row, row.time_arg))
            elif index == PREVIOUS:
                assert previous is not None, row.name
                args.append(previous)
            else:
                args.append(_argument(b, inst, row, index))
        last = number == len(effect.uses) - 1
        needed = not last and PREVIOUS in effect.uses[number + 1].args
        previous = b.temp(32) if needed else None
        b.emit(Sync(dst if last else previous, use.op, tuple(args), loc=b.loc))


def _unless_invalid(b: Builder, inst: CallInst, row: Row, effect: Does, dst: Reg | None, invalid: Expr) -> None:
    """An argument that makes no sense is noticed before anything happens: EINVAL."""
    wrong, right, done = b.label("wrong"), b.label("right"), b.label("done")
    b.emit(Branch(invalid, Edge(wrong), Edge(right), loc=b.loc))
    b.go_on(wrong)
    b.emit(Jump(Edge(done, () if dst is None else ((dst, const(EINVAL, dst.width)),)), loc=b.loc))
    b.go_on(right)
    result = None if dst is None else b.temp(dst.width)
    _lower_operations(b, inst, row, effect, result)
    b.emit(Jump(Edge(done, () if dst is None or result is None else ((dst, result),)), loc=b.loc))
    b.go_on(done)


def _need_room(b: Builder, row: Row, effect: Does) -> None:
    """Programs may declare types of their own, too small for what the operation keeps in them."""
    for use in effect.uses:
        operation = OPERATIONS[use.op]
        name = STATE_OF.get(FACTS[use.op].family)
        name = "mtx_t" if row.name.startswith("mtx_") else name
        own = None if name is None else b.scope.unit.debug.size_of(name)
        if own is None or not isinstance(operation, Guarded):
            continue
        wide = b.scope.pointer_bits == 64
        need = max((f.offset64 if wide else f.offset32) + f.bits // 8 for f in operation.fields if not f.arg)
        if own < need:
            what = f"the program's own {name} of {own} bytes: its state takes {need} (use the type of pthread.h)"
            raise Unlowerable(f"{row.name} of {what}")


def _only_tells(effect: Does) -> bool:
    """Whether the call changes nothing: where nobody reads what it gives, looking at its objects is all it does."""
    return all(
        isinstance(operation := OPERATIONS[use.op], Guarded)
        and not FACTS[use.op].may_block
        and FACTS[use.op].seen is Seen.BY_OTHERS
        and not any(case.sets for case in operation.cases)
        for use in effect.uses
    )


def _late(b: Builder, inst: CallInst, row: Row, index: int) -> Expr:
    """Reading the time is an access of the program's like any other."""
    check = b.scope.in_library("__threadproof_late")
    assert check is not None
    b.scope.demand.ask(check)
    result = b.temp(32)
    b.emit(Call(result, check.name, (_argument(b, inst, row, index),), loc=b.loc))
    return result


def _c11(code: Expr) -> Expr:
    """Error numbers as C11 says them."""
    result: Expr = const(_THRD_ERROR, 32)
    for number, meaning in _THRD_CODES:
        result = Select(Compare(CompareOp.EQ, code, const(number, 32)), const(meaning, 32), result)
    return result


def _range(effect: GivesAny, width: int) -> tuple[int, int]:
    """Missing ends are the type's own, read as signed unless the low end is 0."""
    top = (1 << width) - 1
    if effect.low == 0 or width == 1:
        return 0, top if effect.high is None else min(effect.high, top)
    lowest, highest = -(1 << (width - 1)), (1 << (width - 1)) - 1
    low = lowest if effect.low is None else max(effect.low, lowest)
    return low, highest if effect.high is None else min(effect.high, highest)


def _holds(value: Expr) -> Expr:
    return value if value.width == 1 else Compare(CompareOp.NE, value, Const(0, value.width))


def _lower_assert(b: Builder, inst: CallInst, condition: Expr) -> None:
    failed, passed = b.label("failed"), b.label("passed")
    b.emit(Branch(condition, Edge(passed), Edge(failed), loc=b.loc))
    b.go_on(failed)
    b.emit(Error(ErrorKind.ASSERTION, "assertion failed", loc=b.loc))
    b.go_on(passed)


def _message(b: Builder, inst: CallInst, row: Row, effect: Fails) -> str:
    if effect.kind is ErrorKind.REACH_ERROR:
        return f"{row.name}() is called"
    text = constant_text(b, inst.args[0].value) if row.name in _ASSERTION_TEXT and inst.args else None
    return (
        "assertion failed" if text is None else f"assertion failed: {printable(text.decode('utf-8', errors='replace'))}"
    )


def _lower_allocation(b: Builder, inst: CallInst, row: Row, effect: Allocates, dst: Reg | None) -> None:
    size: Expr | None = None
    for index in effect.size_args:
        factor = _argument(b, inst, row, index)
        size = factor if size is None else _product(size, factor)
    target = b.temp(b.scope.pointer_bits) if dst is None else dst
    if size is None or size.width != b.scope.pointer_bits or target.width != b.scope.pointer_bits:
        raise Unlowerable(f"{row.name} without its prototype")
    site = effect.of.value or (f"{row.name}@{b.loc.line}" if b.loc.line else row.name)
    b.emit(Alloc(target, size, Storage.HEAP, effect.fill, site, loc=b.loc))


def _product(left: Expr, right: Expr) -> Expr:
    """As large as can be where it would overflow: no memory has room for that, and it is not taken for a small one."""
    most = (1 << left.width) - 1
    if isinstance(left, Const) and isinstance(right, Const):
        return const(min(left.value * right.value, most), left.width)
    if isinstance(left, Const):
        left, right = right, left
    width = left.width
    if isinstance(right, Const):
        limit: Expr = const(most // max(1, right.value), width)
    else:
        by = Select(Compare(CompareOp.EQ, right, Const(0, width)), Const(1, width), right)
        limit = Binary(BinaryOp.UDIV, const(most, width), by)
    return Select(Compare(CompareOp.ULT, limit, left), const(most, left.width), Binary(BinaryOp.MUL, left, right))
