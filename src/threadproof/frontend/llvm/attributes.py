"""Stepping over attributes: of all LLVM's attributes only `byval` and `sret` change what a program means."""

from __future__ import annotations

from typing import NamedTuple

from threadproof.frontend.llvm.types import Type
from threadproof.frontend.llvm.values import Cursor

_VALUE_STARTS = frozenset('%@-+0123456789[{<,)"')
_VALUE_WORDS = frozenset((
    "", "true", "false", "null", "none", "undef", "poison", "zeroinitializer", "splat", "asm",
    "getelementptr", "bitcast", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "trunc", "zext", "sext",
    "blockaddress", "add", "sub", "xor", "mul", "inf", "dso_local_equivalent", "no_cfi", "ptrauth", "...",
))  # fmt: skip


def skip_result_attributes(c: Cursor) -> None:
    """From behind `call` or `define` to the result type."""
    while not c.at_type():
        _skip_one(c)


class Passed(NamedTuple):
    """How a parameter is passed: a structure by value, or the place of the result."""

    byval: Type | None
    sret: Type | None


def skip_param_attributes(c: Cursor) -> Passed:
    """From behind a parameter's type to its value."""
    found: dict[str, Type] = {}
    while not _at_value(c.peek()):
        if c.peek() in ("byval", "sret") and c.tokens[c.at + 1] == "(":
            word = c.next()
            c.expect("(")
            found[word] = c.type()
            c.expect(")")
        else:
            _skip_one(c)
    return Passed(found.get("byval"), found.get("sret"))


def _at_value(token: str) -> bool:
    if token in _VALUE_WORDS:
        return True
    if token[0] == '"':
        return False  # an attribute given as a string
    return token[0] in _VALUE_STARTS or token.startswith(('c"', "f0x", "s0x"))


def _skip_one(c: Cursor) -> None:
    token = c.next()
    if (token == "align" and c.peek() != "(") or token == "cc" or (token[0] == '"' and c.accept("=")):
        c.next()
    else:
        c.skip_parens()
