"""Which lock an address is, and which locks are of the plain kind, by points-to sets of unification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from threadproof.analysis.points_to import ObjectKind, Place, PointsTo, may_meet
from threadproof.automaton import ProgramAutomaton, Step
from threadproof.ir.content import initial_bytes
from threadproof.ir.expr import Const, Expr, PtrAdd, Reg
from threadproof.ir.instr import Assign, Rmw, Store, Sync, defs, edges
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import HAS_HOLDER, Act, Attempt, SyncFacts, does, sync_facts
from threadproof.sync.operations import MUTEX_FIELDS, extent

LOCK_BYTES = 64  # no lock of the library is larger


class Doubt(Exception):
    """Something that the argument does not cover."""


class LockNames:
    """Which lock an address is. Unification forgets where in an object a register points: one that is assigned in one
    place is what it is assigned."""

    def __init__(self, program: Program, automaton: ProgramAutomaton, points_to: PointsTo) -> None:
        self._points_to = points_to
        self._values = {name: _assigned_once(function) for name, function in program.functions.items()}
        self._blurred: set[str] = set()
        self.places: dict[Place, int] = {}  # of locks, and how many bytes of them matter
        self.any_unclear = False  # locks that are tried, or that are not always known by name
        if points_to.wild:
            raise Doubt(f"a pointer that may point anywhere{_wild_store(automaton, points_to)}")
        for step, address, size in _lock_addresses(automaton):
            places = self.places_of(step, address)
            if not places or any(place.root.kind is ObjectKind.ANYTHING for place in places):
                raise Doubt(f"a lock that may be anywhere at {step.instr.loc}")
            self.places.update({place: max(size, self.places.get(place, 0)) for place in places})
            self._blurred |= {str(place.root) for place in places if not is_one(place)}
            tried = isinstance(step.instr, Sync) and sync_facts(step.instr).attempt is not Attempt.NO
            self.any_unclear |= tried or len(places) > 1 or bool(self._blurred)

    def of(self, step: Step, address: Expr) -> frozenset[str]:
        return frozenset(map(self.name, self.places_of(step, address)))

    def places_of(self, step: Step, address: Expr) -> frozenset[Place]:
        function = step.site.function
        return self._points_to.expression(function, _resolved(self._values[function], address))

    def is_single(self, names: frozenset[str]) -> bool:
        """Whether there is only one lock that it can be."""
        return len(names) == 1 and not any(name.endswith("[...]") for name in names)

    def name(self, place: Place) -> str:
        root, at = str(place.root), place.offsets.start
        if not is_one(place) or root in self._blurred:
            return f"{root}[...]"
        return f"{root}+{at}" if at else root

    def may_change(self, places: frozenset[Place], size: int) -> bool:
        """Whether a store there may change what operations on locks look at."""
        return any(may_meet(places, size, [place], used) for place, used in self.places.items())

    def variable(self, step: Step, address: Expr) -> tuple[str, Place] | None:
        """The one scalar that an address is, if that is certain."""
        places = self.places_of(step, address)
        if len(places) != 1 or not is_one(place := next(iter(places))):
            return None
        return (f"{place.root}+{place.offsets.start}" if place.offsets.start else str(place.root)), place

    def not_plain(self, program: Program, automaton: ProgramAutomaton) -> frozenset[str]:
        """Locks that a thread might have twice, or fail to take: recursive and error-checking mutexes."""
        odd = {self.name(place) for place in self.places if not _begins_plain(program, place)}
        for step in _steps(automaton):
            if isinstance(step.instr, Sync) and does(step.instr, Act.INIT) and is_lock(sync_facts(step.instr)):
                plain = all(isinstance(arg, Const) and not arg.value for arg in step.instr.args[1:])
                odd |= set() if plain else self.of(step, step.instr.args[0])
        return frozenset(odd)


def _assigned_once(function: Function) -> dict[str, Expr]:
    found: dict[str, Expr | None] = {parameter.name: None for parameter in function.params}
    for instr in function.instrs():
        moved = (reg for edge in edges(instr) for reg, _ in edge.moves)
        for reg in (*defs(instr), *moved):
            once = isinstance(instr, Assign) and reg.name not in found
            found[reg.name] = instr.value if once and isinstance(instr, Assign) else None
    return {name: value for name, value in found.items() if value is not None}


def _resolved(values: Mapping[str, Expr], address: Expr, depth: int = 8) -> Expr:
    if isinstance(address, PtrAdd):
        return PtrAdd(_resolved(values, address.base, depth), address.offset)
    if isinstance(address, Reg) and depth and address.name in values:
        return _resolved(values, values[address.name], depth - 1)
    return address


def is_lock(facts: SyncFacts) -> bool:
    return facts.family in HAS_HOLDER or facts.act in (Act.ENQUEUE, Act.WAKE)


def is_one(place: Place) -> bool:
    return place.root.kind is ObjectKind.GLOBAL and not place.offsets.stride


def _steps(automaton: ProgramAutomaton) -> Iterator[Step]:
    return (step for letter in automaton.letters for step in letter.steps)


def _wild_store(automaton: ProgramAutomaton, points_to: PointsTo) -> str:
    """Where something is stored behind it, if that is seen."""
    for step in _steps(automaton):
        if isinstance(step.instr, Store | Rmw):
            places = points_to.expression(step.site.function, step.instr.address)
            if any(place.root.kind is ObjectKind.ANYTHING for place in places):
                return f" at {step.instr.loc}"
    return ""


def _lock_addresses(automaton: ProgramAutomaton) -> Iterator[tuple[Step, Expr, int]]:
    for step in _steps(automaton):
        if isinstance(step.instr, Sync):
            facts = sync_facts(step.instr)
            arguments = {facts.locks.arg} if facts.locks else set[int]()
            arguments |= {facts.releases} if facts.releases is not None else set[int]()
            arguments |= {0} if is_lock(facts) and facts.act in (Act.INIT, Act.DESTROY) else set[int]()
            for n in arguments if is_lock(facts) else ():
                used = max((use.size for use in facts.uses if use.arg == n), default=LOCK_BYTES)
                yield step, step.instr.args[n], used


def _begins_plain(program: Program, place: Place) -> bool:
    variable = program.globals.get(place.root.name) if is_one(place) else None
    if variable is None or variable.relocations:
        return False
    content = initial_bytes(variable, program.layout(), program.data_model.pointer_bits // 8)
    return not any(content[place.offsets.start : place.offsets.start + extent(MUTEX_FIELDS)])
