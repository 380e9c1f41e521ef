"""`--undefined havoc`: a function without a body gives what it can reach any content.

It can reach the variables that other files can name, and what its arguments point to. Refused are objects that hold
pointers (what lies behind them could change too) and pointers whose object is not seen at the call. Assumed is that it
does not synchronise, start threads, keep pointers for later or call the program's functions: docs/soundness.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.frontend.link import Definition
from threadproof.frontend.llvm.body import parse_body
from threadproof.frontend.llvm.module import (
    AllocaInst,
    CallInst,
    ConstExpr,
    GepInst,
    Instruction,
    LlvmLocal,
    LlvmVariable,
    Symbol,
    Value,
    Zero,
)
from threadproof.frontend.llvm.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PtrType,
    StructType,
    Type,
    TypeTable,
)
from threadproof.frontend.lower.builder import Builder, word_parts
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Expr, GlobalRef, TlsRef

_SYNC_TYPES = ("union.pthread_", "struct.pthread_", "union.sem_t", "struct.sem_t", "union.mtx_t", "union.cnd_t")
_MOST_WORDS = 64


def forget(b: Builder, target: Expr, size: int) -> None:
    """Any content, word by word."""
    parts = word_parts(size, b.scope.types.pointer_bytes)
    if len(parts) > _MOST_WORDS:
        raise Unlowerable(f"any content for an object of {size} bytes")
    for offset, part in parts:
        b.store(b.moved(target, offset), b.any_value(8 * part, "any content"), part)


@dataclass(frozen=True, slots=True)
class _Object:
    address: Expr
    type: Type
    types: TypeTable


def lower_havoc(b: Builder, inst: CallInst, name: str) -> None:
    objects = _arguments(b, inst, name)
    for found in b.scope.demand.linker.exported_variables():
        _add(b, objects, found)
    for what, each in objects.items():
        for offset, size in _forgotten(each.types, each.type, f"{what} holds pointers", name):
            forget(b, b.moved(each.address, offset), size)


def _arguments(b: Builder, inst: CallInst, name: str) -> dict[str, _Object]:
    """The objects that pointers among the arguments point to, by name."""
    defined = b.scope.unit.module.functions[b.function]
    blocks = parse_body(defined) if defined.lines else []
    made = {step.result: step for block in blocks for step in block.instructions if step.result}
    found: dict[str, _Object] = {}
    for arg in inst.args:
        if not isinstance(arg.value.type, PtrType) or arg.byval is not None or arg.sret is not None:
            continue
        value = _object(arg.value, made)
        alloca = made.get(value.name) if isinstance(value, LlvmLocal) else None
        variable = b.scope.find(value.name) if isinstance(value, Symbol) else None
        if isinstance(alloca, AllocaInst) and alloca.count is None:
            found[b.alloc_names.get(alloca.result, f"%{alloca.result}")] = _Object(
                b.value(value), alloca.type, b.scope.types
            )
        elif variable is not None:
            _add(b, found, variable)
        elif not isinstance(value, Zero):
            raise Unlowerable(f"havoc of {name}, which has no body: what its argument points to is not seen")
    return found


def _add(b: Builder, objects: dict[str, _Object], found: Definition) -> None:
    variable = found.item
    if not isinstance(variable, LlvmVariable) or variable.storage != "global" or variable.name.startswith("llvm."):
        return
    b.scope.demand.ask(found)
    ref = TlsRef if variable.scope == "thread_local" else GlobalRef
    objects[found.name] = _Object(ref(found.name, b.scope.pointer_bits), variable.type, found.unit.module.types)


def _object(value: Value, made: dict[str, Instruction]) -> Value:
    """Behind steps inside an object."""
    while True:
        if isinstance(value, ConstExpr) and value.opcode == "getelementptr":
            value = value.operands[0]
        elif isinstance(value, LlvmLocal) and isinstance(step := made.get(value.name), GepInst):
            value = step.base
        else:
            return value


def _forgotten(types: TypeTable, type_: Type, refusal: str, name: str) -> Iterator[tuple[int, int]]:
    """Offset and size of what gets any content: all but the objects of threads and locks."""
    if isinstance(type_, NamedType) and type_.name.startswith(_SYNC_TYPES):
        return
    resolved = types.resolve(type_)
    match resolved:
        case PtrType():
            raise Unlowerable(f"havoc of {name}, which has no body: {refusal}")
        case ArrayType(element=IntType() | FloatType()):
            yield 0, types.size(type_)
        case ArrayType():
            inner = list(_forgotten(types, resolved.element, refusal, name))
            for index in range(resolved.count):
                start = types.element(type_, index)[0]
                yield from ((start + offset, size) for offset, size in inner)
        case StructType():
            for index, part in enumerate(resolved.fields):
                start = types.element(type_, index)[0]
                yield from ((start + offset, size) for offset, size in _forgotten(types, part, refusal, name))
        case _:
            yield 0, types.size(type_)
