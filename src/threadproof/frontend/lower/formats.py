"""Input and output: printf and scanf, whose format tells which memory they touch, puts and its kin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from threadproof.frontend.llvm.module import (
    Argument,
    CallInst,
    ConstExpr,
    LlvmFunction,
    LlvmNumber,
    LlvmText,
    LlvmVariable,
    Symbol,
    Value,
    Zero,
)
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.lower.varargs import pass_varargs
from threadproof.ir.expr import Const, ConvertOp, Expr, Reg
from threadproof.ir.instr import Nondet, StackRestore
from threadproof.sync.rows import Extra, Prints, Row

_DIRECTIVE = re.compile(
    rb"%(?P<flags>[-+ #0'I]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|q|L|j|z|t)?(?P<kind>.)",
    re.DOTALL,
)
_SCAN_DIRECTIVE = re.compile(rb"%(?P<skip>\*?)(?P<width>\d*)(?P<length>hh|h|ll|l|q|L|j|z|t)?(?P<kind>.)", re.DOTALL)


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
        offset = index.value if isinstance(index, LlvmNumber) else 0
        value = value.operands[0]
    if not isinstance(value, Symbol):
        return None
    found = b.scope.find(value.name)
    if found is None or not isinstance(found.item, LlvmVariable) or found.item.storage != "constant":
        return None
    match found.item.initial:
        case LlvmText(data=data):
            return data[offset:].split(b"\0")[0]
        case Zero():
            return b""
        case _:
            return None


_PUTS = {"puts": 1, "fputs": 1, "fputc": 0, "putc": 0, "putchar": 0, "putchar_unlocked": 0}  # 1: prints a string


def lower_put(b: Builder, inst: CallInst, name: str) -> bool:
    """puts and its kin where nobody looks at the result: they read their string, and make no choice."""
    if name not in _PUTS or not inst.args or b.is_used(inst.result):
        return False
    if _PUTS[name]:
        _read_string(b, _String(0), [inst.args[0].value], name)
    return True


def lower_print(b: Builder, inst: CallInst, row: Row, effect: Prints, dst: Reg | None) -> None:
    """Reads the format and every string that is printed, so that bad pointers and races are seen."""
    at = effect.format_arg
    if at >= len(inst.args):
        raise Unlowerable(f"a call of {row.name} without a format")
    used = dst is not None and b.is_used(inst.result)
    text = constant_text(b, inst.args[at].value)
    strings = None if used or text is None or effect.extra is Extra.LIST else _strings(text)
    if strings is not None:
        for string in strings:
            _read_string(b, string, [arg.value for arg in inst.args[at + 1 :]], row.name)
        return
    # Looked at or not simple: the runtime library formats the text.
    last = at + 1 if effect.extra is Extra.ARGUMENTS else at + 2
    args = tuple(b.value(arg.value) for arg in inst.args[:last])
    if used:
        _call_formatter(b, row.name, args, inst.args[last:], effect.extra, dst)
    else:
        quiet = "__threadproof_print" if effect.extra is Extra.ARGUMENTS else "__threadproof_print_list"
        _call_formatter(b, quiet, args[at:], inst.args[last:], effect.extra, None)


def _call_formatter(
    b: Builder, name: str, args: tuple[Expr, ...], rest: Sequence[Argument], extra: Extra, dst: Reg | None
) -> None:
    found = b.scope.in_library(name)
    assert found is not None, name
    assert isinstance(found.item, LlvmFunction), name
    widths = [found.unit.module.types.bits(param.type) for param in found.item.params]
    int_bits = 32
    if [arg.width for arg in args] != widths or (dst is not None and dst.width != int_bits):
        raise Unlowerable(f"a call of {name} with arguments of other types")
    saved: Reg | None = None
    if extra is Extra.ARGUMENTS:
        saved, area = pass_varargs(b, rest)
        args = (*args, area)
    b.call_library(name, args, dst)
    if saved is not None:
        b.emit(StackRestore(saved, loc=b.loc))


def _strings(text: bytes) -> list[_String] | None:
    """The strings a constant format prints; None if that is not all the format does to memory."""
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
            return None
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
