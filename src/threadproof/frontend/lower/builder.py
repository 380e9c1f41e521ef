"""The function under construction: blocks, registers, and the values of LLVM operands as expressions."""

from __future__ import annotations

import re
from collections import Counter

from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.frontend.llvm.module import AllocaInst, LlvmLocal, PhiInst, Undef, Value
from threadproof.frontend.llvm.types import Type
from threadproof.frontend.lower.constants import constant, offset_pointer, resized
from threadproof.frontend.lower.scope import Scope
from threadproof.ir.expr import Binary, BinaryOp, Const, Expr, Reg, const
from threadproof.ir.instr import (
    ENDS_BLOCK,
    Assign,
    Call,
    Edge,
    Instr,
    Load,
    Nondet,
    Order,
    Purpose,
    Store,
    Terminator,
    Volatility,
)
from threadproof.ir.program import Block

_INLINE_WORDS = 8  # a copy of at most so many words is written out; a longer one calls the runtime's loop
_SEEDS = ("srand", "srandom")  # of the C library: whatever they get, any number comes next
_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')


class Builder:
    """Collects instructions. After one that ends its block, the rest of the LLVM block is dropped."""

    def __init__(self, scope: Scope, function: str, phis: dict[str, list[PhiInst]]) -> None:
        self.scope = scope
        self.function = function  # its LLVM name
        self.loc: SourceLoc = NOWHERE
        self.blocks: list[Block] = []
        self.pairs: dict[str, tuple[Reg, Reg, int]] = {}  # {iN, i1} kept apart: value, flag, offset of the flag
        self.scoped: dict[str, AllocaInst] = {}  # locals made where their block begins
        self.alloc_names: dict[str, str] = {}  # register of an alloca -> name of its C variable
        self._phis = phis
        self._label = ""
        self._from = ""  # the LLVM block, whatever it was split into
        self._instrs: list[Instr] = []
        self._open = False
        self._fresh = 0
        self._uses: Counter[str] | None = None

    # --- blocks ---

    def start(self, label: str) -> None:
        """The block of an LLVM label."""
        self._from = label
        self.go_on(label)

    def go_on(self, label: str) -> None:
        """A further block that belongs to the same LLVM block."""
        self._label, self._instrs, self._open = label, [], True

    @property
    def open(self) -> bool:
        return self._open

    def emit(self, instr: Instr) -> None:
        if not self._open:
            return
        self._instrs.append(instr)
        if isinstance(instr, ENDS_BLOCK):
            self.blocks.append(Block(self._label, tuple(self._instrs)))
            self._open = False

    def end(self, instr: Terminator) -> None:
        self.emit(instr)

    def label(self, what: str) -> str:
        self._fresh += 1
        return f"{self._from}.{what}{self._fresh}"

    def edge(self, target: str) -> Edge:
        moves: list[tuple[Reg, Expr]] = []
        for phi in self._phis.get(target, ()):
            value = next(value for label, value in phi.incoming if label == self._from)
            moves.append((self.reg(phi.result, phi.type), self.value(value)))
        return Edge(target, tuple(moves))

    # --- registers and values ---

    def reg(self, name: str, type_: Type) -> Reg:
        return Reg(f"%{name}", self.scope.bits(type_))

    def temp(self, width: int) -> Reg:
        self._fresh += 1
        return Reg(f"%.{self._fresh}", width)

    def assign(self, value: Expr) -> Reg:
        """A fresh register with this value."""
        dst = self.temp(value.width)
        self.emit(Assign(dst, value, loc=self.loc))
        return dst

    def value(self, value: Value) -> Expr:
        if isinstance(value, LlvmLocal):
            if value.name in self.pairs:
                return self._pair(value)
            return self.reg(value.name, value.type)
        if isinstance(value, Undef):
            return self.any_value(self.scope.bits(value.type), "undefined value")
        return constant(value, self.scope)

    def any_value(self, width: int, source: str) -> Reg:
        dst = self.temp(width)
        self.emit(Nondet(dst, source, 0, (1 << width) - 1, loc=self.loc))
        return dst

    def is_used(self, name: str) -> bool:
        """Whether anything reads the register that matters."""
        if self._uses is None:
            lines = self.scope.unit.module.functions[self.function].lines or ()
            seeds = tuple(f"call void @{seed}(" for seed in _SEEDS if self.scope.find(seed) is None)
            self._uses = Counter(_LOCAL.findall("\n".join(line for line in lines if not any(s in line for s in seeds))))
        return self._uses[f"%{name}"] != 1

    def _pair(self, value: LlvmLocal) -> Expr:
        """The pair as one number, for the rare use of the whole. Registers are assigned once."""
        first, flag, offset = self.pairs[value.name]
        width = self.scope.bits(value.type)
        high = Binary(BinaryOp.SHL, resized(flag, width), Const(8 * offset, width))
        return Binary(BinaryOp.OR, resized(first, width), high)

    # --- memory ---

    def load(
        self,
        address: Expr,
        size: int,
        volatility: Volatility = Volatility.ORDINARY,
        purpose: Purpose = Purpose.VALUE,
    ) -> Reg:
        dst = self.temp(8 * size)
        self.emit(Load(dst, address, size, Order.PLAIN, volatility, purpose, loc=self.loc))
        return dst

    def store(self, address: Expr, value: Expr, size: int, volatility: Volatility = Volatility.ORDINARY) -> None:
        self.emit(Store(address, value, size, Order.PLAIN, volatility, loc=self.loc))

    def moved(self, address: Expr, offset: int) -> Expr:
        return offset_pointer(address, const(offset, self.scope.pointer_bits))

    def copy(self, target: Expr, source: Expr, size: int, volatility: Volatility = Volatility.ORDINARY) -> None:
        """A copy of a known size in accesses of at most a word."""
        word = self.scope.types.pointer_bytes
        if size > _INLINE_WORDS * word:
            self.call_library("memcpy", (target, source, Const(size, self.scope.pointer_bits)))
            return
        for offset, part in word_parts(size, word):
            value = self.load(self.moved(source, offset), part, volatility, Purpose.COPY)
            self.store(self.moved(target, offset), value, part, volatility)

    def fill(self, target: Expr, byte: int, size: int, volatility: Volatility) -> None:
        """memset with a known byte and size, in accesses of at most a word."""
        word = self.scope.types.pointer_bytes
        if size > _INLINE_WORDS * word:
            length = Const(size, self.scope.pointer_bits)
            self.call_library("memset", (target, Const(byte, 32), length))
            return
        for offset, part in word_parts(size, word):
            value = Const(int.from_bytes(bytes([byte]) * part, "little"), 8 * part)
            self.store(self.moved(target, offset), value, part, volatility)

    def call_library(self, name: str, args: tuple[Expr, ...], dst: Reg | None = None) -> None:
        """Call of a function of the runtime library that is known to exist."""
        found = self.scope.in_library(name)
        assert found is not None, name
        self.scope.demand.ask(found)
        self.emit(Call(dst, found.name, args, loc=self.loc))


def word_parts(size: int, word: int) -> list[tuple[int, int]]:
    """(offset, size) of the accesses that make up `size` bytes: words, then ever smaller powers of two."""
    parts: list[tuple[int, int]] = []
    offset = 0
    while offset < size:
        part = word
        while part > size - offset:
            part //= 2
        parts.append((offset, part))
        offset += part
    return parts
