"""Which operands an operation takes, and the sort of its result. What is not well-sorted is a bug of ours."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.core.errors import InternalError
from threadproof.smt.term import BOOL, INT, Array, BitVec, FunctionSort, Op, Params, Sort, Term, bitvec

Args = tuple[Term, ...]

_SAME_WIDTH = (
    Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR,
    Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVNOT, Op.NEG,
)  # fmt: skip
FLOAT_ARITHMETIC = (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)
FLOAT_COMPARISON = (Op.FP_LT, Op.FP_LEQ, Op.FP_EQ)
FLOAT_WIDTHS = (32, 64)
_COUNT = {Op.BVNOT: 1, Op.NEG: 1, Op.FP_SQRT: 2, Op.FP_ROUND: 2, Op.FP_NAN: 1}


def sort_of(op: Op, args: Args, params: Params) -> Sort:
    found = _RESULT[op](op, args, params)
    if found is None:
        raise InternalError(f"no such term: {op} {params} of {', '.join(str(arg.sort) for arg in args)}")
    return found


def _numbers(params: Params) -> list[int]:
    return [p for p in params if isinstance(p, int)]


def _value(op: Op, args: Args, params: Params) -> Sort | None:
    value, width = _numbers(params)
    return bitvec(width) if width > 0 and 0 <= value < 1 << width else None


def _constant(op: Op, args: Args, params: Params) -> Sort | None:
    return None if args else BOOL


def _boolean(op: Op, args: Args, params: Params) -> Sort | None:
    enough = len(args) == 1 if op is Op.NOT else len(args) >= 2
    return BOOL if enough and all(arg.sort is BOOL for arg in args) else None


def _alike(args: Args) -> bool:
    first, *others = args
    return not [arg for arg in others if arg.sort is not first.sort and arg.sort != first.sort]


def _equal(op: Op, args: Args, params: Params) -> Sort | None:
    return BOOL if len(args) == 2 and _alike(args) and not isinstance(args[0].sort, FunctionSort) else None


def _ite(op: Op, args: Args, params: Params) -> Sort | None:
    fits = len(args) == 3 and args[0].sort is BOOL and _alike(args[1:])
    return args[1].sort if fits and not isinstance(args[1].sort, FunctionSort) else None


def _bits(op: Op, args: Args, params: Params) -> Sort | None:
    fits = len(args) == _COUNT.get(op, 2) and isinstance(args[0].sort, BitVec) and _alike(args)
    return args[0].sort if fits else None


def _compared(op: Op, args: Args, params: Params) -> Sort | None:
    return _bits(op, args, params) and BOOL


def _concat(op: Op, args: Args, params: Params) -> Sort | None:
    high, low = args
    return bitvec(high.width + low.width)


def _extract(op: Op, args: Args, params: Params) -> Sort | None:
    high, low = _numbers(params)
    return bitvec(high - low + 1) if 0 <= low <= high < args[0].width else None


def _extended(op: Op, args: Args, params: Params) -> Sort | None:
    (more,) = _numbers(params)
    return bitvec(args[0].width + more) if more >= 0 else None


def _array(op: Op, args: Args, params: Params) -> Sort | None:
    of, index = args[0].sort, args[1].sort
    if not isinstance(of, Array) or index != bitvec(of.index):
        return None
    if op is Op.SELECT:
        return bitvec(of.element) if len(args) == 2 else None
    return of if args[2].sort == bitvec(of.element) else None


def _fill(op: Op, args: Args, params: Params) -> Sort | None:
    (index,) = _numbers(params)
    return Array(index, args[0].width) if index > 0 else None


def _float(op: Op, args: Args, params: Params) -> Sort | None:
    wanted = 3 if op in FLOAT_ARITHMETIC else _COUNT.get(op, 2)
    fits = len(args) == wanted and _alike(args) and args[0].sort in (bitvec(32), bitvec(64))
    return BOOL if fits else None


def _converted(op: Op, args: Args, params: Params) -> Sort | None:
    floats = args if op is Op.FP_CAST else args[1:]
    return BOOL if len(args) == 2 and args[0].width and all(arg.width in FLOAT_WIDTHS for arg in floats) else None


def _to_integer(op: Op, args: Args, params: Params) -> Sort | None:
    (width,) = _numbers(params)
    fits = len(args) == 2 and args[0].sort is BOOL and args[1].width in FLOAT_WIDTHS
    return bitvec(width) if fits else None


def _integer(op: Op, args: Args, params: Params) -> Sort | None:
    fits = len(args) == (0 if op is Op.INTEGER else 2) and all(arg.sort is INT for arg in args)
    if op in (Op.INT_DIV, Op.INT_MOD):
        fits = fits and args[1].op is Op.INTEGER and args[1].value > 0
    return (BOOL if op is Op.INT_LT else INT) if fits else None


def _to_int(op: Op, args: Args, params: Params) -> Sort | None:
    return INT if len(args) == 1 and isinstance(args[0].sort, BitVec) else None


def _from_int(op: Op, args: Args, params: Params) -> Sort | None:
    (width,) = _numbers(params)
    return bitvec(width) if len(args) == 1 and args[0].sort is INT and width > 0 else None


def _applied(op: Op, args: Args, params: Params) -> Sort | None:
    of = args[0].sort
    if not isinstance(of, FunctionSort) or args[0].op is not Op.VAR:
        return None
    return of.result if tuple(arg.sort for arg in args[1:]) == of.arguments else None


_RESULT: dict[Op, Callable[[Op, Args, Params], Sort | None]] = {
    Op.TRUE: _constant, Op.FALSE: _constant, Op.VALUE: _value,
    Op.NOT: _boolean, Op.AND: _boolean, Op.OR: _boolean, Op.EQ: _equal, Op.ITE: _ite,
    **dict.fromkeys(_SAME_WIDTH, _bits), Op.ULT: _compared, Op.SLT: _compared,
    Op.CONCAT: _concat, Op.EXTRACT: _extract, Op.ZEXT: _extended, Op.SEXT: _extended,
    Op.SELECT: _array, Op.STORE: _array, Op.FILL: _fill,
    **dict.fromkeys((*FLOAT_ARITHMETIC, *FLOAT_COMPARISON, Op.FP_SQRT, Op.FP_ROUND, Op.FP_NAN), _float),
    **dict.fromkeys((Op.FP_CAST, Op.FP_FROM_SIGNED, Op.FP_FROM_UNSIGNED), _converted),
    Op.FP_TO_SIGNED: _to_integer, Op.FP_TO_UNSIGNED: _to_integer,
    **dict.fromkeys((Op.INTEGER, Op.INT_ADD, Op.INT_SUB, Op.INT_MUL, Op.INT_DIV, Op.INT_MOD, Op.INT_LT), _integer),
    Op.UBV_TO_INT: _to_int, Op.SBV_TO_INT: _to_int, Op.INT_TO_BV: _from_int, Op.APPLY: _applied,
}  # fmt: skip
