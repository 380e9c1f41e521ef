"""Several modules are one program: which definition a symbol means, and what the program calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from threadproof.core.errors import InputError
from threadproof.core.source import SourceLoc
from threadproof.frontend.debug_info import DebugInfo
from threadproof.frontend.llvm.module import (
    LOCAL_LINKAGES,
    WEAK_LINKAGES,
    LlvmFunction,
    LlvmModule,
    LlvmVariable,
    Value,
)
from threadproof.frontend.llvm.types import Arity
from threadproof.sync.families.threads import DETACHED


@dataclass(eq=False, slots=True)
class Unit:
    """One module of the program. `names` are its definitions' names in the program's one name space."""

    module: LlvmModule
    debug: DebugInfo
    names: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Alias:
    value: Value


Item = LlvmFunction | LlvmVariable | Alias


@dataclass(frozen=True, slots=True)
class Definition:
    unit: Unit
    name: str  # in the program
    item: Item


_SETS_DETACHED = "pthread_attr_setdetachstate"
_KEEPS_JOINABLE = re.compile(rf"@{_SETS_DETACHED}\(ptr noundef [^,]+, i32 noundef 0\)")


def _may_detach(units: list[Unit]) -> bool:
    """Whether attributes may get another state than PTHREAD_CREATE_JOINABLE."""
    for unit in units:
        lines = [line for function in unit.module.functions.values() for line in function.lines or ()]
        if any(f"@{_SETS_DETACHED}" in line and not _KEEPS_JOINABLE.search(line) for line in lines):
            return True
        if any(_SETS_DETACHED in repr(variable) for variable in unit.module.variables.values()):
            return True
    return False


class Linker:
    """Resolves symbols as a linker would: local ones in their unit, others by name, weak ones last."""

    def __init__(self, units: list[Unit]) -> None:
        self._exported: dict[str, tuple[Unit, str]] = {}  # name -> (unit, linkage)
        self._taken: set[str] = set()
        self._libraries: list[Unit] = []
        self._functions = frozenset(name for unit in units for name in unit.module.functions)
        if _SETS_DETACHED in self._functions and _may_detach(units):
            self._functions |= {DETACHED}
        self._units = units
        _require_agreement(units)
        for unit in units:
            for symbol, linkage in _definitions(unit.module):
                if linkage not in LOCAL_LINKAGES:
                    self._export(unit, symbol, linkage)
        self._taken.update(self._exported)
        for unit in units:
            for symbol, linkage in _definitions(unit.module):
                local = linkage in LOCAL_LINKAGES
                unit.names[symbol] = self.claim(symbol) if local else symbol

    def mentions(self, function: str) -> bool:
        """Whether the program declares the function, which it does for those that it uses. DETACHED: see there."""
        return function in self._functions

    def claim(self, name: str) -> str:
        """A name nothing else in the program has: `name`, or `name.2`, ..."""
        unique, number = name, 1
        while unique in self._taken:
            number += 1
            unique = f"{name}.{number}"
        self._taken.add(unique)
        return unique

    def add_library(self, unit: Unit) -> None:
        """A unit that sees its own functions only and gives way to everyone else's names."""
        self._libraries.append(unit)
        for symbol, _ in _definitions(unit.module):
            unit.names[symbol] = self.claim(symbol)

    def find(self, unit: Unit, symbol: str) -> Definition | None:
        """What `symbol` means in `unit`; None if no unit defines it."""
        own = _item(unit.module, symbol)
        exported = self._exported.get(symbol)
        shared = unit not in self._libraries or isinstance(own, LlvmVariable)  # a program's own optind is the one
        if exported is not None and shared and not _is_local(unit.module, symbol):
            unit = exported[0]
            own = _item(unit.module, symbol)
        return None if own is None else Definition(unit, unit.names[symbol], own)

    def knows_variadic(self, fixed: int) -> bool:
        """Whether some file declares a variadic function with so many parameters before the dots."""
        modules = (unit.module for unit in self._units)
        functions = (function for module in modules for function in module.functions.values())
        return any(f.arity is Arity.VARIADIC and len(f.params) == fixed for f in functions)

    def exported_variables(self) -> list[Definition]:
        """Those that every file of the program can name, also one that was not given."""
        found = (self.find(unit, symbol) for symbol, (unit, _) in self._exported.items())
        return [one for one in found if one is not None and isinstance(one.item, LlvmVariable)]

    def _export(self, unit: Unit, symbol: str, linkage: str) -> None:
        known = self._exported.get(symbol)
        if known is None or (known[1] in WEAK_LINKAGES and linkage not in WEAK_LINKAGES):
            self._exported[symbol] = (unit, linkage)
        elif linkage not in WEAK_LINKAGES:
            here, there = _place(unit, symbol), _place(known[0], symbol)
            # Old-style inlining turns an `inline` function of a shared header into one definition per file.
            if here != there or not here.line:
                files = f"{known[0].module.file} and {unit.module.file}"
                raise InputError(f"'{symbol}' is defined twice, in {files} ({there} and {here})")


def _require_agreement(units: list[Unit]) -> None:
    """The files say the same of what a name stands for. Such a program has no behaviour, and linkers refuse most."""
    said: dict[str, tuple[str, Unit]] = {}
    for unit in units:
        for name, kind in _kinds(unit.module):
            before, other = said.setdefault(name, (kind, unit))
            if before != kind:
                raise InputError(
                    f"'{name}' is {before} in {other.module.file}, but {kind} in {unit.module.file}: declare it alike"
                )


def _kinds(module: LlvmModule) -> Iterator[tuple[str, str]]:
    """Of the names that the module shares with others."""
    for function in module.functions.values():
        if function.linkage not in LOCAL_LINKAGES:
            yield function.name, "a function"
    for variable in module.variables.values():
        if variable.linkage not in LOCAL_LINKAGES:
            yield variable.name, "a _Thread_local variable" if variable.scope else "a variable of all threads"


def exported(module: LlvmModule) -> list[str]:
    """What other modules can name."""
    return [name for name, linkage in _definitions(module) if linkage not in LOCAL_LINKAGES]


def _definitions(module: LlvmModule) -> list[tuple[str, str]]:
    """Name and linkage of everything the module defines."""
    found = [(f.name, f.linkage) for f in module.functions.values() if f.lines is not None]
    found += [(v.name, v.linkage) for v in module.variables.values() if v.initial is not None]
    found += [(name, linkage) for name, (linkage, _) in module.aliases.items()]
    return found


def _item(module: LlvmModule, symbol: str) -> Item | None:
    function = module.functions.get(symbol)
    if function is not None and function.lines is not None:
        return function
    variable = module.variables.get(symbol)
    if variable is not None and variable.initial is not None:
        return variable
    alias = module.aliases.get(symbol)
    return None if alias is None else Alias(alias[1])


def _is_local(module: LlvmModule, symbol: str) -> bool:
    item = _item(module, symbol)
    if isinstance(item, Alias):
        return module.aliases[symbol][0] in LOCAL_LINKAGES
    return item is not None and item.linkage in LOCAL_LINKAGES


def _place(unit: Unit, symbol: str) -> SourceLoc:
    item = _item(unit.module, symbol)
    match item:
        case LlvmFunction():
            return unit.debug.declared_at(item.debug)
        case LlvmVariable():
            found = unit.debug.global_variable(item.debug)
            return SourceLoc(unit.module.file, 0) if found is None else found.loc
        case _:
            return SourceLoc(unit.module.file, 0)
