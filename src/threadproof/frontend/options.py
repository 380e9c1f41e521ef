"""What the user may say about how C is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.ir.reading import DataModel, Spurious, Taken


class Checks(Enum):
    NONE = "none"
    OVERFLOW = "overflow"  # clang inserts checks for signed overflow; their handlers become errors


class Locals(Enum):
    """How long a local variable lives."""

    FUNCTION = "function"  # as long as the call: what plain clang -O0 makes of it, instruction by instruction
    BLOCK = "block"  # as long as its block, as C says


class Volatile(Enum):
    """What an access to a volatile object counts as."""

    PLAIN = "plain"
    ATOMIC = "atomic"  # relaxed: for code from before C11 that synchronises by it


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    data_model: DataModel = DataModel.LP64
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()  # read before each file
    std: str | None = None
    clang: str | None = None  # a clang to use instead of the bundled one
    checks: Checks = Checks.NONE
    locals: Locals = Locals.FUNCTION
    undefined: Taken = Taken.UNKNOWN  # what functions without a body and without a model are taken to do
    assume_pure: tuple[str, ...] = ()  # those of them that are taken as pure, whatever the others are
    volatile: Volatile = Volatile.PLAIN
    spurious: Spurious | None = None  # whether waits on conditions may end by themselves; None: the property's rule
    own: tuple[str, ...] = ()  # functions clang knows by name, which the program defines itself
    declare: tuple[str, ...] = ()  # functions of the C library, declared for a program that forgot their header
    arguments: tuple[str, ...] | None = None  # the program is started with these; None: nobody knows
    timeout: float = 60.0  # seconds for each call of clang
