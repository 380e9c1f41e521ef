"""A program: functions made of blocks, global objects with their initial bytes, and the address layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from threadproof.core.graph import reached
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir.ctypes import CType
from threadproof.ir.expr import Reg
from threadproof.ir.instr import Instr, edges
from threadproof.ir.layout import Arenas, Layout
from threadproof.ir.reading import DataModel, Spurious, Taken


class Mutability(Enum):
    VARIABLE = "variable"
    CONSTANT = "constant"


class Lifetime(Enum):
    PROGRAM = "program"
    THREAD = "thread"  # thread-local storage: one instance per thread


class Origin(Enum):
    HERE = "here"
    ELSEWHERE = "elsewhere"  # declared, defined nowhere: it has an address, and accessing it is unsupported


@dataclass(frozen=True, slots=True)
class Relocation:
    """The pointer-sized word at `offset` holds the address of `target` plus `addend`."""

    offset: int
    target: str
    addend: int = 0


@dataclass(frozen=True, slots=True)
class GlobalVar:
    name: str
    size: int
    image: bytes  # initial bytes; a shorter image is continued by zeros
    relocations: tuple[Relocation, ...] = ()
    mutability: Mutability = Mutability.VARIABLE
    lifetime: Lifetime = Lifetime.PROGRAM
    origin: Origin = Origin.HERE
    align: int = 1
    c_name: str = ""
    ctype: CType | None = None
    loc: SourceLoc = NOWHERE


@dataclass(frozen=True, slots=True)
class Variable:
    """A C variable of a function: what a register or a stack object means to a person."""

    c_name: str
    ctype: CType | None
    loc: SourceLoc = NOWHERE


@dataclass(frozen=True, slots=True)
class Block:
    label: str
    instrs: tuple[Instr, ...]  # the last one ends the block, no other does


def reachable_blocks(blocks: list[Block]) -> tuple[Block, ...]:
    """Those that the first one leads to."""
    by_label = {block.label: block for block in blocks}
    found = reached([blocks[0].label], lambda label: (edge.target for edge in edges(by_label[label].instrs[-1])))
    return tuple(block for block in blocks if block.label in found)


class Atomicity(Enum):
    ORDINARY = "ordinary"
    ATOMIC = "atomic"  # a function named __VERIFIER_atomic_*: its whole call is one atomic block


VARARGS = "%..."
"""The last parameter of a variadic function: the address of the area with its extra arguments."""


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    params: tuple[Reg, ...]
    blocks: tuple[Block, ...]  # the first is the entry
    result_width: int = 0  # 0: void
    atomicity: Atomicity = Atomicity.ORDINARY
    variables: dict[str, Variable] = field(default_factory=dict[str, Variable])
    """By name of the `Alloc` (before promotion) or of the register (after it)."""
    unshared: frozenset[str] = frozenset()
    """Names of stack objects that only the running thread can ever access (found by a pass)."""
    loc: SourceLoc = NOWHERE

    def takes(self, given: int) -> bool:
        """Whether a call through a pointer with so many arguments works. Nobody looks at those behind the last
        parameter, unless one of them would be taken for the area of extra arguments."""
        variadic = bool(self.params) and self.params[-1].name == VARARGS
        return given == len(self.params) if variadic else given >= len(self.params)

    def block(self, label: str) -> Block:
        return next(block for block in self.blocks if block.label == label)

    def instrs(self) -> Iterator[Instr]:
        """All of them, block by block."""
        for block in self.blocks:
            yield from block.instrs


@dataclass(frozen=True, slots=True)
class Missing:
    """A function that the program calls, that none of its files defines and Threadproof gives no meaning to."""

    name: str
    taken: Taken
    loc: SourceLoc = NOWHERE  # of a call; nowhere if only its address is taken

    def __str__(self) -> str:
        return f"{self.name} ({self.loc})" if self.loc.line else self.name


@dataclass(frozen=True, slots=True)
class Outside:
    """What the program uses although its files do not define it."""

    missing: tuple[Missing, ...] = ()
    variables: tuple[str, ...] = ()  # defined nowhere
    library: tuple[str, ...] = ()  # functions of the C library that Threadproof gave a meaning to
    assumed: tuple[str, ...] = ()  # of the world around it, in words


@dataclass(slots=True)
class HeapUse:
    """What is known of the blocks that one place allocates; only for people."""

    function: str  # that allocates
    loc: SourceLoc = NOWHERE
    holder: str = ""  # the variable that was the first to point to one
    types: list[CType] = field(default_factory=list[CType])  # what the pointers to them say they hold


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    data_model: DataModel
    functions: dict[str, Function]
    globals: dict[str, GlobalVar]
    entry: str = "main"
    at_exit: str = field(default="", kw_only=True)
    """A function that is called with main's result when main returns ("": none)."""
    sources: tuple[str, ...] = ()  # the files given, for quoting lines
    notes: tuple[str, ...] = ()  # what the front end wants a person to know
    outside: Outside = Outside()
    arguments: tuple[str, ...] | None = field(default=None, kw_only=True)  # of the command line; None: nobody knows
    unshared: frozenset[str] = frozenset()
    """Names of globals that no two threads access with a write among them (found by a pass)."""
    spurious: Spurious | None = field(default=None, kw_only=True)
    """What the user says about spurious wake-ups; None: as the property has it."""
    blocks: dict[str, HeapUse] = field(default_factory=dict[str, HeapUse], kw_only=True)
    """What heap blocks are used for, by the name of their `Alloc`; only for people."""
    arenas: Arenas = field(default=Arenas.LARGE, kw_only=True)
    """How much memory threads have for themselves (found by a pass)."""

    def instrs(self) -> Iterator[Instr]:
        """All of them, function by function."""
        for function in self.functions.values():
            yield from function.instrs()

    def layout(self) -> Layout:
        """Where everything lies. A function of the program alone."""
        return Layout.of(
            self.data_model.pointer_bits,
            tuple(self.functions),
            tuple((g.name, g.size, g.align) for g in self.globals.values() if g.lifetime is Lifetime.PROGRAM),
            tuple((g.name, g.size, g.align) for g in self.globals.values() if g.lifetime is Lifetime.THREAD),
            self.arenas,
        )
