"""A program by its content: two programs with the same digest are equal, names and places in the source included."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast

from threadproof.ir.program import Program

_PLAIN = (str, int, bytes, bool, type(None))


def digest(program: Program) -> str:
    found = hashlib.sha256()
    for word in _words(program):
        found.update(word.encode("utf-8", "surrogatepass"))
        found.update(b"\0")
    return found.hexdigest()


def _words(value: Any) -> Iterator[str]:
    """Whatever is made of parts says of how many first, so that no two values have the same words. Expressions may be
    nested deeply: no recursion."""
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        kind = cast(type[Any], type(one))
        if kind in _PLAIN:
            yield repr(one)
        elif kind is float:
            yield struct.pack("<d", one).hex()  # every bit: what is no number has many forms
        elif isinstance(one, Enum):
            yield f"{_name(kind)}.{one.name}"
        elif is_dataclass(one):
            yield _name(kind)
            waiting.extend(getattr(one, name) for name in _fields(kind))
        else:
            parts = _parts(one)
            yield f"{kind.__name__} of {len(parts)}"
            waiting.extend(parts)


def _name(kind: type[Any]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def _parts(value: Any) -> list[Any]:
    """The order of a dictionary is part of the program: it says where functions and variables lie."""
    if isinstance(value, dict):
        return [part for item in cast(dict[Any, Any], value).items() for part in item]
    if isinstance(value, frozenset | set):
        return sorted(cast(frozenset[str], value))
    if isinstance(value, tuple | list):
        return list(cast(list[Any], value))
    raise TypeError(f"a program has no {type(value).__name__}")
