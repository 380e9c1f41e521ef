"""Which errors and which undefined behaviour violate a property: said once, for machines and for formulas.

| what                   | unreach-call | no-data-race, no-deadlock | no-overflow | valid-memsafety |
|------------------------|--------------|---------------------------|-------------|-----------------|
| reach_error, assertion | violation    | ends the execution        | ends it     | ends it         |
| overflow handler       | (not compiled in)                        | violation   |                 |
| memory error           | undefined    | undefined                 | undefined   | violation       |
| division by zero, ...  | undefined    | undefined                 | undefined   | undefined       |

`undefined` ends the execution and keeps `true` from being said.
"""

from __future__ import annotations

from threadproof.core.property import Property
from threadproof.ir.instr import ErrorKind, UndefinedKind

_DEREFERENCE = (
    UndefinedKind.NULL_DEREFERENCE,
    UndefinedKind.WILD_DEREFERENCE,
    UndefinedKind.OUT_OF_BOUNDS,
    UndefinedKind.USE_AFTER_FREE,
    UndefinedKind.DEAD_LOCAL,
    UndefinedKind.WRITE_TO_CONSTANT,
    UndefinedKind.WILD_CALL,
)
_FREE = (UndefinedKind.DOUBLE_FREE, UndefinedKind.INVALID_FREE)
_ERRORS = {
    Property.UNREACH_CALL: frozenset((ErrorKind.REACH_ERROR, ErrorKind.ASSERTION)),
    Property.NO_OVERFLOW: frozenset((ErrorKind.OVERFLOW,)),
}


def failures(prop: Property) -> frozenset[ErrorKind]:
    """The errors that violate the property when they are reached; others end the execution."""
    return _ERRORS.get(prop, frozenset())


def forbidden(prop: Property) -> frozenset[UndefinedKind]:
    """The undefined behaviour that violates the property; other kinds keep `true` from being said."""
    return frozenset((*_DEREFERENCE, *_FREE)) if prop is Property.VALID_MEMSAFETY else frozenset()


def sub_property(kind: UndefinedKind) -> str:
    """Of memory safety."""
    if kind in _DEREFERENCE:
        return "valid-deref"
    return "valid-free" if kind in _FREE else ""
