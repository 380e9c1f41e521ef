"""Input and output: printf and scanf, whose format tells which memory they touch, puts and its kin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadproof.frontend.builder import Builder
from threadproof.frontend.constants import resized
from threadproof.frontend.llvm_module import (
    CallInst,
    ConstExpr,
    LlvmVariable,
    Number,
    Symbol,
    Text,
    Value,
    Zero,
)
from threadproof.frontend.llvm_types import PtrType
from threadproof.frontend.scope import Unlowerable
from threadproof.ir.expr import Const, ConvertOp, Expr, Reg
from threadproof.ir.instr import Nondet

_DIRECTIVE = re.compile(
    rb"%(?P<flags>[-+ #0'I]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|q|L|j|z|t)?(?P<kind>.)",
    re.DOTALL,
)
_SCAN_DIRECTIVE = re.compile(rb"%(?P<skip>\*?)(?P<width>\d*)(?P<length>hh|h|ll|l|q|L|j|z|t)?(?P<kind>.)", re.DOTALL)
_INT_MAX = 0x7FFFFFFF


@dataclass(frozen=True, slots=True)
class _String:
    """A %s: which argument it prints, and how much of it at most."""

    arg: int
    limit: int | None = None  # a number in the format
    limit_arg: int | None = None  # `*`: the argument that holds it


def constant_text(b: Builder, value: Value) -> bytes | None:
    """The C string that a constant pointer points to, without its end."""
    offset = 0
    if isinstance(value, ConstExpr) and value.opcode == "getelementptr":
        index = value.operands[-1]
        offset = index.value if isinstance(index, Number) else 0
        value = value.operands[0]
    if not isinstance(value, Symbol):
        return None
    found = b.scope.find(value.name)
    if found is None or not isinstance(found.item, LlvmVariable) or found.item.storage != "constant":
        return None
    match found.item.initial:
        case Text(data=data):
            return data[offset:].split(b"\0")[0]
        case Zero():
            return b""
        case _:
            return None


_PUTS = {"puts": 1, "fputs": 1, "fputc": 0, "putc": 0, "putchar": 0, "putchar_unlocked": 0}  # 1: prints a string


def lower_put(b: Builder, inst: CallInst, name: str, dst: Reg | None) -> bool:
    """puts and its kin read their string; the result is a choice only if somebody looks at it."""
    if name not in _PUTS or not inst.args:
        return False
    if _PUTS[name]:
        _read_string(b, _String(0), [inst.args[0].value], name)
    if dst is not None and b.is_used(inst.result):
        failed = -1
        b.emit(Nondet(dst, name, failed, (1 << (dst.width - 1)) - 1, loc=b.loc))
    return True


def lower_print(b: Builder, inst: CallInst, name: str, format_arg: int, dst: Reg | None) -> None:
    """Reads every string that is printed, so that bad pointers and races are seen."""
    if format_arg >= len(inst.args):
        raise Unlowerable(f"a call of {name} without a format")
    text = constant_text(b, inst.args[format_arg].value)
    extra = inst.args[format_arg + 1 :]
    if text is None:
        if any(isinstance(arg.value.type, PtrType) for arg in extra):
            raise Unlowerable(f"{name} with a format that is not constant")
    else:
        for string in _strings(text, name):
            _read_string(b, string, [arg.value for arg in extra], name)
    if dst is not None and b.is_used(inst.result):
        b.emit(Nondet(dst, name, 0, min(_INT_MAX, (1 << dst.width) - 1), loc=b.loc))


def _strings(text: bytes, name: str) -> list[_String]:
    found: list[_String] = []
    at = 0
    for directive in _DIRECTIVE.finditer(text):
        kind = directive["kind"]
        if kind in (b"%", b"m"):
            continue
        at += directive["width"] == b"*"
        limit_arg = at if directive["precision"] == b"*" else None
        at += limit_arg is not None
        if kind == b"n" or (kind == b"s" and directive["length"]) or kind == b"S" or kind == b"$":
            raise Unlowerable(f"{name} with %{(directive['length'] or b'').decode()}{kind.decode('latin-1')}")
        if kind == b"s":
            digits = directive["precision"]
            limit = int(digits or b"0") if digits is not None and limit_arg is None else None
            found.append(_String(at, limit, limit_arg))
        at += 1
    return found


def _read_string(b: Builder, string: _String, extra: list[Value], name: str) -> None:
    if max(string.arg, string.limit_arg or 0) >= len(extra):
        raise Unlowerable(f"{name} with fewer arguments than its format asks for")
    pointer = b.value(extra[string.arg])
    if pointer.width != b.scope.pointer_bits:
        raise Unlowerable(f"{name} with %s for something that is no pointer")
    limit: Expr | None = None
    if string.limit_arg is not None:
        limit = resized(b.value(extra[string.limit_arg]), b.scope.pointer_bits, ConvertOp.SEXT)
    elif string.limit is not None:
        limit = Const(string.limit, b.scope.pointer_bits)
    if limit is None:
        b.call_library("strlen", (pointer,), b.temp(b.scope.pointer_bits))
    else:
        b.call_library("strnlen", (pointer, limit), b.temp(b.scope.pointer_bits))


_SCAN_INTS = {None: 4, b"hh": 1, b"h": 2, b"l": 0, b"ll": 8, b"q": 8, b"j": 8, b"z": 0, b"t": 0}  # 0: a word
_SCAN_FLOATS = {None: 4, b"l": 8}


def lower_scan(b: Builder, inst: CallInst, name: str, format_arg: int, dst: Reg | None) -> None:
    """Any number of items is converted; each gets an arbitrary value."""
    text = constant_text(b, inst.args[format_arg].value) if format_arg < len(inst.args) else None
    if text is None:
        raise Unlowerable(f"{name} with a format that is not constant")
    sizes = _targets(text, name, b.scope.types.pointer_bytes)
    targets = [arg.value for arg in inst.args[format_arg + 1 :]]
    if len(targets) < len(sizes):
        raise Unlowerable(f"{name} with fewer arguments than its format asks for")
    count = b.temp(32) if dst is None or dst.width != 32 else dst
    b.emit(Nondet(count, name, -1, len(sizes), loc=b.loc))
    for index, (size, target) in enumerate(zip(sizes, targets, strict=False)):
        b.call_library(f"__threadproof_scan_{size}", (count, Const(index, 32), b.value(target)))


def _targets(text: bytes, name: str, word: int) -> list[int]:
    """Sizes of the objects that are stored to."""
    sizes: list[int] = []
    for directive in _SCAN_DIRECTIVE.finditer(text):
        kind, length = directive["kind"], directive["length"]
        if kind == b"%" or (directive["skip"] and kind not in b"[S"):
            continue
        size: int | None = None
        if kind in b"diouxX":
            size = _SCAN_INTS.get(length)
        elif kind in b"aefgAEFG":
            size = _SCAN_FLOATS.get(length)
        elif kind == b"c" and not directive["width"] and length is None:
            size = 1
        elif kind == b"p":
            size = word
        if size is None:
            raise Unlowerable(f"{name} with %{kind.decode('latin-1')}")
        sizes.append(size or word)
    return sizes
