"""What heap blocks hold, told by the pointers that are set to them: only for people.

Reads the program as clang gives it, where every variable is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.ir.ctypes import CPointer, CType, Opaque, place
from threadproof.ir.expr import Const, Expr, GlobalRef, PtrAdd, Reg
from threadproof.ir.instr import Alloc, Load, Storage, Store
from threadproof.ir.program import Function, GlobalVar


class HeapTypes:
    def __init__(self, variables: dict[str, GlobalVar], pointees: dict[str, CType]) -> None:
        """`pointees`: types by the name that pointers have for them."""
        self._variables = variables
        self._pointees = pointees

    def of(self, functions: dict[str, Function]) -> dict[str, list[CType]]:
        """By the name of the place that allocates."""
        found: dict[str, list[CType]] = {}
        for function in functions.values():
            for site, pointer in self._pointers(function):
                pointee = self._pointees.get(pointer.target)
                known = found.setdefault(site, [])
                if pointee is not None and not isinstance(pointee, Opaque) and pointee not in known:
                    known.append(pointee)
        return found

    def _pointers(self, function: Function) -> Iterator[tuple[str, CPointer]]:
        """Where a block is allocated, and the type of a pointer that is set to it."""
        sites: dict[str, str] = {}
        places: dict[str, CType | None] = {}  # what lies where a register points to
        for instr in function.instrs():
            match instr:
                case Alloc(dst=Reg(name=register), storage=Storage.HEAP):
                    sites[register] = instr.name
                case Alloc(dst=Reg(name=register)):
                    variable = function.variables.get(instr.name)
                    places[register] = None if variable is None else variable.ctype
                case Load(dst=Reg(name=register)):
                    held = _first(self._at(instr.address, places))
                    places[register] = self._pointees.get(held.target) if isinstance(held, CPointer) else None
                case Store(value=Reg(name=register)) if register in sites:
                    held = _first(self._at(instr.address, places))
                    if isinstance(held, CPointer):
                        yield sites[register], held
                case _:
                    pass

    def _at(self, address: Expr, places: dict[str, CType | None]) -> CType | None:
        match address:
            case GlobalRef(name=name):
                known = self._variables.get(name)
                return None if known is None else known.ctype
            case Reg(name=name):
                return places.get(name)
            case PtrAdd(base=base, offset=Const(value=offset)):
                record = self._at(base, places)
                return None if record is None else place(record, offset)[1]
            case _:
                return None


def _first(ctype: CType | None) -> CType | None:
    """Of a record or array its first member."""
    return None if ctype is None else place(ctype, 0)[1]
