"""Methods of dataclasses that are compiled when they are first called, as long as Python compiles each by itself.

Half of starting is the definition of 250 dataclasses, and most of that is to compile methods that a short run never
calls: `__repr__`, `__eq__`, `__delattr__`. Python 3.13 does it in a better way. Only the command line does this, whose
process is its own; where the standard library is not as expected, nothing happens.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

LATER = frozenset(
    ("__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__lt__", "__le__", "__gt__", "__ge__")
)
_MAKER = "_create_fn"

Method = Callable[..., Any]


def compile_methods_later() -> None:
    create: Method | None = getattr(dataclasses, _MAKER, None)
    if create is None or sys.version_info >= (3, 13):
        return

    def create_later(name: str, *how: Any, **given: Any) -> Method:
        return _later(name, lambda: create(name, *how, **given)) if name in LATER else create(name, *how, **given)

    setattr(dataclasses, _MAKER, create_later)


def _later(name: str, make: Callable[[], Method]) -> Method:
    made: list[Method] = []

    def method(*arguments: Any) -> Any:
        if not made:
            made.append(make())
            made[0].__qualname__ = method.__qualname__
            for owner in type(arguments[0]).__mro__:
                if owner.__dict__.get(name) is method:
                    setattr(owner, name, made[0])
        return made[0](*arguments)

    method.__name__ = name
    return method
