"""What lowering sees of the rest of the program (addresses, callees, sizes), and what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.frontend.link import Alias, Definition, Linker, Unit
from threadproof.frontend.llvm.module import LlvmFunction, LlvmVariable, Symbol
from threadproof.frontend.llvm.types import StructType, Type, TypeTable, UnknownSize
from threadproof.frontend.options import Checks, Locals
from threadproof.frontend.outside import Uses
from threadproof.ir.expr import Const, GlobalRef, TlsRef
from threadproof.sync.table import lookup


class Unlowerable(Exception):
    """A construct without a meaning for us: it becomes an `Unsupported` where it stands.."""


@dataclass(slots=True)
class Demand:
    """What has been referred to so far: definitions to be lowered, library functions used as values."""

    linker: Linker
    library: Callable[[str], Unit | None]  # the file of the runtime library that defines it
    order: list[Definition]
    seen: set[str]
    wrappers: dict[str, tuple[str, Unit, LlvmFunction]]  # C name -> (name in the program, where, declaration)
    environment: dict[str, str]  # C name -> name in the program of an object the C library provides
    undefined: dict[str, str]  # the same for variables that nobody defines
    labels: dict[tuple[str, str], int]
    uses: Uses
    handlers: bool = False  # whether something may run when the program ends

    def mentions(self, names: tuple[str, ...]) -> bool:
        """Whether the program refers to one of these functions."""
        return any(self.linker.mentions(name) for name in names)

    def ask(self, definition: Definition) -> None:
        if definition.name not in self.seen:
            self.seen.add(definition.name)
            self.order.append(definition)


STREAMS = ("stdin", "stdout", "stderr")
_ALIAS_DEPTH = 16
_FIRST_LABEL = 0x1000  # below every address of the layout: never mistaken for data


@dataclass(frozen=True, slots=True)
class Scope:
    unit: Unit
    demand: Demand
    overrides: Callable[[str], bool]  # whether the sync table wins over the program's own body
    locals: Locals = Locals.FUNCTION
    checks: Checks = Checks.NONE

    @property
    def types(self) -> TypeTable:
        return self.unit.module.types

    @property
    def pointer_bits(self) -> int:
        return 8 * self.types.pointer_bytes

    def bits(self, type_: Type) -> int:
        try:
            return self.types.bits(type_)
        except UnknownSize as error:
            raise Unlowerable(str(error)) from None

    def size(self, type_: Type) -> int:
        try:
            return self.types.size(type_)
        except UnknownSize as error:
            raise Unlowerable(str(error)) from None

    def is_struct(self, type_: Type) -> bool:
        try:
            return isinstance(self.types.resolve(type_), StructType)
        except UnknownSize as error:
            raise Unlowerable(str(error)) from None

    def element(self, type_: Type, index: int) -> tuple[int, Type]:
        try:
            return self.types.element(type_, index)
        except UnknownSize as error:
            raise Unlowerable(str(error)) from None

    def find(self, symbol: str) -> Definition | None:
        """What the program defines under this name, behind aliases."""
        unit = self.unit
        for _ in range(_ALIAS_DEPTH):
            found = self.demand.linker.find(unit, symbol)
            if found is None or not isinstance(found.item, Alias):
                return found
            if not isinstance(found.item.value, Symbol):
                break
            unit, symbol = found.unit, found.item.value.name
        raise Unlowerable(f"the alias {symbol}")

    def address(self, symbol: str) -> GlobalRef | TlsRef | Const:
        """Of a variable or function; null for something weak that nobody defines."""
        found = self.find(symbol)
        if found is not None and isinstance(found.item, LlvmFunction) and self.overrides(symbol):
            return self._wrapper(symbol, found.item)
        if found is None:
            return self._outside(symbol)
        self.demand.ask(found)
        thread_local = isinstance(found.item, LlvmVariable) and found.item.scope == "thread_local"
        return (TlsRef if thread_local else GlobalRef)(found.name, self.pointer_bits)

    def in_library(self, symbol: str) -> Definition | None:
        """A function of the runtime library."""
        library = self.demand.library(symbol)
        found = None if library is None else self.demand.linker.find(library, symbol)
        return found if found is not None and isinstance(found.item, LlvmFunction) else None

    def label_address(self, function: str, label: str) -> int:
        """Computed gotos: every label whose address is taken has a number of its own."""
        labels = self.demand.labels
        return labels.setdefault((self.unit.names.get(function, function), label), _FIRST_LABEL + len(labels))

    def _outside(self, symbol: str) -> GlobalRef | Const:
        declared = self.unit.module.functions.get(symbol)
        if declared is not None:
            known = lookup(symbol) is not None or self.in_library(symbol) is not None
            weak = declared.linkage == "extern_weak" and not known
            return Const(0, self.pointer_bits) if weak else self._wrapper(symbol, declared)
        variable = self.unit.module.variables.get(symbol)
        if variable is not None and variable.linkage == "extern_weak":
            return Const(0, self.pointer_bits)
        library = self.demand.library(symbol)
        shared = None if library is None else self.demand.linker.find(library, symbol)
        if shared is not None:  # optind and its kin
            self.demand.ask(shared)
            return GlobalRef(shared.name, self.pointer_bits)
        if symbol in STREAMS:
            return GlobalRef(self.demand.environment.setdefault(symbol, symbol), self.pointer_bits)
        return GlobalRef(self.demand.undefined.setdefault(symbol, symbol), self.pointer_bits)

    def _wrapper(self, symbol: str, declared: LlvmFunction) -> GlobalRef:
        """A library function used as a value: the program gets a function that calls it."""
        known = self.demand.wrappers.get(symbol)
        if known is None:
            found = None if self.overrides(symbol) else self.in_library(symbol)
            if found is not None:
                self.demand.ask(found)
                return GlobalRef(found.name, self.pointer_bits)
            known = (self.demand.linker.claim(symbol), self.unit, declared)
            self.demand.wrappers[symbol] = known
        return GlobalRef(known[0], self.pointer_bits)
