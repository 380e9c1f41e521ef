"""What heap blocks hold and who holds them, told by the pointers that are set to them: only for people.

Reads the program as clang gives it, where every variable is in memory. The address of a block is followed from where it
is allocated through variables, members of records, arguments, results and starts of threads; every pointer with a C
type that it arrives in says what the block is used as. Calls through pointers are not followed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, Opaque, place
from threadproof.ir.expr import Const, Expr, GlobalRef, PtrAdd, Reg
from threadproof.ir.instr import Alloc, Assign, Call, CompareExchange, Load, Return, Rmw, Storage, Store, Sync
from threadproof.ir.program import Function, GlobalVar, HeapUse
from threadproof.sync.facts import Act, does

ROUNDS = 6  # of calls that a block is followed through

Holder = tuple[str, ...]
"""Who holds pointers: a variable, a member of a record type, a parameter or the result of a function."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What an address leads to: the type of what lies there, and what it is called."""

    ctype: CType | None = None
    holder: Holder | None = None


_NOWHERE = _Target()


@dataclass(slots=True)
class _Call:
    """What is known of the registers of one function."""

    function: Function
    sites: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    targets: dict[str, _Target] = field(default_factory=dict[str, _Target])


class HeapTypes:
    def __init__(self, variables: dict[str, GlobalVar], pointees: dict[str, CType]) -> None:
        """`pointees`: types by the name that pointers have for them."""
        self._variables = variables
        self._pointees = pointees
        self._held: dict[Holder, dict[str, None]] = {}
        self._found: dict[str, HeapUse] = {}
        self._news = False

    def of(self, functions: dict[str, Function]) -> dict[str, HeapUse]:
        """By the name of the place that allocates."""
        for _ in range(ROUNDS):
            self._news = False
            for function in functions.values():
                self._follow(function, functions)
            if not self._news:
                break
        return self._found

    def _follow(self, function: Function, functions: dict[str, Function]) -> None:
        here = _Call(function)
        for number, parameter in enumerate(function.params):
            here.sites[parameter.name] = self._of(("parameter", function.name, str(number)))
        for instr in function.instrs():
            match instr:
                case Alloc(dst=Reg(name=register), storage=Storage.HEAP):
                    here.sites[register] = (instr.name,)
                    if instr.name not in self._found:
                        self._found[instr.name] = HeapUse(function.name, instr.loc)
                case Alloc(dst=Reg(name=register)):
                    variable = function.variables.get(instr.name)
                    ctype = None if variable is None else variable.ctype
                    here.targets[register] = _Target(ctype, ("variable", function.name, instr.name))
                case Assign(dst=Reg(name=register)):
                    here.targets[register] = self._target(instr.value, here)
                    here.sites[register] = self._sites(instr.value, here)
                case Load(dst=Reg(name=register)):
                    self._load(register, self._target(instr.address, here), here)
                case Store():
                    self._store(instr.address, instr.value, here)
                case CompareExchange():
                    self._store(instr.address, instr.desired, here)
                    self._load(instr.old.name, self._target(instr.address, here), here)
                case Rmw():
                    self._store(instr.address, instr.value, here)
                    self._load(instr.dst.name, self._target(instr.address, here), here)
                case Call(callee=str(callee)):
                    self._pass(callee, instr.args, here)
                    if instr.dst is not None and callee in functions:
                        here.sites[instr.dst.name] = self._of(("result", callee))
                case Sync(args=args) if does(instr, Act.CREATE) and len(args) > 2:
                    if isinstance(args[1], GlobalRef):
                        self._pass(args[1].name, args[2:], here)
                case Return(value=Reg() as value):
                    self._keep(("result", function.name), self._sites(value, here))
                case _:
                    pass

    def _load(self, register: str, at: _Target, here: _Call) -> None:
        held = _first(at.ctype)
        pointee = self._pointees.get(held.target) if isinstance(held, CPointer) else None
        here.targets[register] = _Target(pointee)
        here.sites[register] = () if at.holder is None else self._of(at.holder)

    def _store(self, address: Expr, value: Expr, here: _Call) -> None:
        sites = self._sites(value, here)
        if not sites:
            return
        at = self._target(address, here)
        if at.holder is not None:
            self._keep(at.holder, sites)
        held = _first(at.ctype)
        if not isinstance(held, CPointer):
            return
        pointee = self._pointees.get(held.target)
        if pointee is None or isinstance(pointee, Opaque):
            return
        for site in sites:
            use = self._found[site]
            if pointee not in use.types:
                use.types.append(pointee)
            if not use.holder and at.holder is not None and at.holder[0] != "member":
                use.holder = self._title(at.holder, here.function)

    def _title(self, holder: Holder, function: Function) -> str:
        if holder[0] == "global":
            variable = self._variables.get(holder[1])
            return "" if variable is None else variable.c_name
        known = function.variables.get(holder[-1])
        return "" if known is None else known.c_name

    def _pass(self, callee: str, args: Iterable[Expr], here: _Call) -> None:
        for number, argument in enumerate(args):
            self._keep(("parameter", callee, str(number)), self._sites(argument, here))

    def _sites(self, value: Expr, here: _Call) -> tuple[str, ...]:
        return here.sites.get(value.name, ()) if isinstance(value, Reg) else ()

    def _of(self, holder: Holder) -> tuple[str, ...]:
        return tuple(self._held.get(holder, ()))

    def _keep(self, holder: Holder, sites: Iterable[str]) -> None:
        for site in sites:
            known = self._held.setdefault(holder, {})
            if site not in known:
                known[site] = None
                self._news = True

    def _target(self, address: Expr, here: _Call) -> _Target:
        match address:
            case GlobalRef(name=name):
                known = self._variables.get(name)
                return _NOWHERE if known is None else _Target(known.ctype, ("global", name))
            case Reg(name=name):
                return here.targets.get(name, _NOWHERE)
            case PtrAdd(base=base, offset=Const(value=offset)):
                return self._part(self._target(base, here), offset)
            case PtrAdd(base=base):
                return _element(self._target(base, here))
            case _:
                return _NOWHERE

    def _part(self, whole: _Target, offset: int) -> _Target:
        ctype = whole.ctype
        if isinstance(ctype, CRecord) and 8 * offset < ctype.bits:
            return _Target(_member(ctype, offset), ("member", ctype.name, str(offset)))
        if isinstance(ctype, CArray):
            return _Target(place(ctype, offset)[1], whole.holder)
        return whole  # another element of what the pointer points to


def _element(whole: _Target) -> _Target:
    """Of an array, or of the many things that a pointer points to: which one is not known."""
    ctype = whole.ctype
    while isinstance(ctype, CArray):
        ctype = ctype.element
    return _Target(ctype, whole.holder)


def _member(record: CRecord, offset: int) -> CType | None:
    """The member that begins there, whole: a record or array inside is looked into by what follows."""
    for member in record.members:
        if member.offset_bits == 8 * offset:
            return member.type
    return place(record, offset)[1]


def _first(ctype: CType | None) -> CType | None:
    """Of a record or array its first member."""
    return None if ctype is None else place(ctype, 0)[1]
