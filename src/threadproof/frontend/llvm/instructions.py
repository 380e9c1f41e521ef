"""What the words of an instruction mean: one reader per opcode."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.llvm.attributes import skip_param_attributes, skip_result_attributes
from threadproof.frontend.llvm.module import (
    AllocaInst,
    Argument,
    Asm,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CmpXchgInst,
    CompareInst,
    CondBranchInst,
    ExtractInst,
    ExtractLaneInst,
    FenceInst,
    GepInst,
    IndirectBranchInst,
    InsertInst,
    InsertLaneInst,
    Instruction,
    LlvmAggregate,
    LlvmNumber,
    LoadInst,
    Odd,
    PhiInst,
    ReturnInst,
    RmwInst,
    SelectInst,
    ShuffleInst,
    StoreInst,
    SwitchInst,
    UnaryInst,
    UnreachableInst,
    Value,
    Zero,
)
from threadproof.frontend.llvm.types import METADATA, PTR, Arity, FunctionType, VectorType
from threadproof.frontend.llvm.values import Cursor, ParseError, bare_name, unescape

_ORDERS = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"))
_FAST_MATH = frozenset(("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"))


Reader = Callable[[Cursor, str, str, int], Instruction]


def _alloca(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    c.accept("inalloca")
    type_ = c.type()
    count: Value | None = None
    align = 1
    while c.accept(","):
        if c.accept("align"):
            align = int(c.next())
        elif c.accept("addrspace"):
            c.skip_parens()
        else:
            count = c.typed_value()
    return AllocaInst(type_, count, align, result=result, debug=debug)


def _access(c: Cursor) -> str:
    """Skips `atomic`, gives `volatile` or the empty word."""
    c.accept("atomic")
    return "volatile" if c.accept("volatile") else ""


def _order(c: Cursor) -> str:
    if c.accept("syncscope"):
        c.skip_parens()
    return c.next() if c.peek() in _ORDERS else ""


def _load(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    volatility = _access(c)
    type_ = c.type()
    c.expect(",")
    address = c.typed_value()
    return LoadInst(type_, address, _order(c), volatility, result=result, debug=debug)


def _store(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    volatility = _access(c)
    value = c.typed_value()
    c.expect(",")
    address = c.typed_value()
    return StoreInst(value, address, _order(c), volatility, result=result, debug=debug)


def _gep(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    c.skip_flags()
    source = c.type()
    c.expect(",")
    base = c.typed_value()
    indices: list[Value] = []
    while c.accept(","):
        indices.append(c.typed_value())
    return GepInst(source, base, tuple(indices), result=result, debug=debug)


def _skip_math_flags(c: Cursor) -> None:
    while c.peek() in _FAST_MATH:
        c.at += 1


def _binary(c: Cursor, opcode: str, result: str, debug: int) -> Instruction:
    c.skip_flags()
    _skip_math_flags(c)
    type_ = c.type()
    left = c.value(type_)
    c.expect(",")
    return BinaryInst(opcode, left, c.value(type_), result=result, debug=debug)


def _compare(c: Cursor, opcode: str, result: str, debug: int) -> Instruction:
    c.skip_flags()
    _skip_math_flags(c)
    predicate = c.next()
    type_ = c.type()
    left = c.value(type_)
    c.expect(",")
    return CompareInst(opcode, predicate, left, c.value(type_), result=result, debug=debug)


def _cast(c: Cursor, opcode: str, result: str, debug: int) -> Instruction:
    c.skip_flags()
    _skip_math_flags(c)
    value = c.typed_value()
    c.expect("to")
    return CastInst(opcode, value, c.type(), result=result, debug=debug)


def _unary(c: Cursor, opcode: str, result: str, debug: int) -> Instruction:
    _skip_math_flags(c)
    return UnaryInst(opcode, c.typed_value(), result=result, debug=debug)


def _select(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    _skip_math_flags(c)
    condition = c.typed_value()
    c.expect(",")
    then = c.typed_value()
    c.expect(",")
    return SelectInst(condition, then, c.typed_value(), result=result, debug=debug)


def _phi(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    _skip_math_flags(c)
    type_ = c.type()
    incoming: list[tuple[str, Value]] = []
    while c.accept("["):
        value = c.value(type_)
        c.expect(",")
        incoming.append((bare_name(c.next()), value))
        c.expect("]")
        c.accept(",")
    return PhiInst(type_, tuple(incoming), result=result, debug=debug)


def _numbers(c: Cursor) -> tuple[int, ...]:
    found: list[int] = []
    while c.accept(","):
        found.append(int(c.next()))
    return tuple(found)


def _extractvalue(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    aggregate = c.typed_value()
    return ExtractInst(aggregate, _numbers(c), result=result, debug=debug)


def _insertvalue(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    aggregate = c.typed_value()
    c.expect(",")
    value = c.typed_value()
    return InsertInst(aggregate, value, _numbers(c), result=result, debug=debug)


def _extractelement(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    vector = c.typed_value()
    c.expect(",")
    return ExtractLaneInst(vector, c.typed_value(), result=result, debug=debug)


def _insertelement(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    vector = c.typed_value()
    c.expect(",")
    value = c.typed_value()
    c.expect(",")
    return InsertLaneInst(vector, value, c.typed_value(), result=result, debug=debug)


def _shufflevector(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    left = c.typed_value()
    c.expect(",")
    right = c.typed_value()
    c.expect(",")
    mask = c.typed_value()
    count = mask.type.count if isinstance(mask.type, VectorType) else 0
    parts = mask.parts if isinstance(mask, LlvmAggregate) else (mask,) * count
    lanes = tuple(
        part.value if isinstance(part, LlvmNumber) else 0 if isinstance(part, Zero) else None for part in parts
    )
    return ShuffleInst(left, right, lanes, result=result, debug=debug)


def _rmw(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    c.accept("volatile")
    opcode = c.next()
    address = c.typed_value()
    c.expect(",")
    value = c.typed_value()
    return RmwInst(opcode, address, value, _order(c), result=result, debug=debug)


def _cmpxchg(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    weak = c.accept("weak")
    c.accept("volatile")
    address = c.typed_value()
    c.expect(",")
    expected = c.typed_value()
    c.expect(",")
    desired = c.typed_value()
    return CmpXchgInst(address, expected, desired, _order(c), weak, result=result, debug=debug)


def _fence(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    scope = "singlethread" if '"singlethread"' in c.tokens else ""
    return FenceInst(_order(c), scope, result=result, debug=debug)


def _arguments(c: Cursor) -> tuple[Argument, ...]:
    c.expect("(")
    found: list[Argument] = []
    while not c.accept(")"):
        type_ = c.type()
        if type_ == METADATA:
            found.append(Argument(_metadata(c)))
        else:
            passed = skip_param_attributes(c)
            found.append(Argument(c.value(type_), *passed))
        c.accept(",")
    return tuple(found)


def _metadata(c: Cursor) -> Value:
    """What only some intrinsic functions take: a scope, a text, a value in disguise."""
    if c.peek()[0] != "!":
        return c.typed_value()
    token = c.next()
    c.skip_parens()
    return Odd(METADATA, token)


def _call(c: Cursor, opcode: str, result: str, debug: int) -> Instruction:
    if opcode != "call":
        c.expect("call")
    skip_result_attributes(c)
    returned = c.type()
    spelled = c.maybe_function_type(returned)
    callee: Value | Asm
    if c.peek() == "asm":
        callee = _asm(c)
    else:
        callee = c.value(PTR)
    args = _arguments(c)
    type_ = spelled or FunctionType(returned, tuple(arg.value.type for arg in args), Arity.FIXED)
    return CallInst(type_, callee, args, result=result, debug=debug)


def _asm(c: Cursor) -> Asm:
    c.expect("asm")
    dialect = ""
    while c.peek() in ("sideeffect", "alignstack", "inteldialect", "unwind"):
        word = c.next()
        dialect = word if word == "inteldialect" else dialect
    template = unescape(c.next()).decode("utf-8", errors="replace")
    c.expect(",")
    return Asm(template, unescape(c.next()).decode("utf-8", errors="replace"), dialect)


def _label(c: Cursor) -> str:
    c.expect("label")
    return bare_name(c.next())


def _br(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    if c.peek() == "label":
        return BranchInst(_label(c), debug=debug)
    condition = c.typed_value()
    c.expect(",")
    then = _label(c)
    c.expect(",")
    return CondBranchInst(condition, then, _label(c), debug=debug)


def _switch(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    value = c.typed_value()
    c.expect(",")
    default = _label(c)
    c.expect("[")
    cases: list[tuple[int, str]] = []
    while not c.accept("]"):
        case = c.typed_value()
        if not isinstance(case, LlvmNumber):
            raise ParseError("with a case that is no number")
        c.expect(",")
        cases.append((case.value, _label(c)))
    return SwitchInst(value, default, tuple(cases), debug=debug)


def _indirectbr(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    address = c.typed_value()
    c.expect(",")
    c.expect("[")
    targets: list[str] = []
    while not c.accept("]"):
        targets.append(_label(c))
        c.accept(",")
    return IndirectBranchInst(address, tuple(targets), debug=debug)


def _ret(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    return ReturnInst(None if c.accept("void") else c.typed_value(), debug=debug)


def _unreachable(c: Cursor, _: str, result: str, debug: int) -> Instruction:
    return UnreachableInst(debug=debug)


_BINARY = (
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
)  # fmt: skip
_CASTS = (
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint",
    "inttoptr", "bitcast", "addrspacecast",
)  # fmt: skip

READERS: dict[str, Reader] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "getelementptr": _gep,
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    "select": _select,
    "phi": _phi,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _extractelement,
    "insertelement": _insertelement,
    "shufflevector": _shufflevector,
    "atomicrmw": _rmw,
    "cmpxchg": _cmpxchg,
    "fence": _fence,
    **dict.fromkeys(("call", "tail", "musttail", "notail"), _call),
    "br": _br,
    "switch": _switch,
    "indirectbr": _indirectbr,
    "ret": _ret,
    "unreachable": _unreachable,
}
