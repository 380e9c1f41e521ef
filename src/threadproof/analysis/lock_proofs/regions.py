"""Lists of their own: what can be reached from one element of an array of lists, no other element leads to.

Paper: H. Seidl, V. Vojdani, Region analysis for race detection, SAS 2009.
Differs: a region is all that hangs on one element of a global array, named by the element's address in terms of the
thread's registers; all stores are checked first, and if one of them may join two regions there are none.

Every block gets at most one region, when it is linked: an element of the array. The rule that all threads keep: what is
stored in an element, or in a block of its region, and points to such memory, points to the same element or its region.
Then a pointer that was loaded from a region points into it, and two accesses to one block were made through the same
element. So a lock that follows from the element (`m[i]` of `list[i]`) protects the whole list.
Invariants: as for all static proofs, accesses stay inside the object that their pointer was made from. A pointer into
the array itself could leave its element; then nothing is said, unless a comparison has excluded it (the end of a list
that leads back to its head).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from threadproof.analysis.abstract_threads.memory_map import MemoryMap, RegionAccess
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts, analyse_with
from threadproof.analysis.abstract_threads.thread_state import Knowledge
from threadproof.analysis.memory.partition import MEMORY
from threadproof.analysis.points_to import ObjectKind, Place, Root, Site
from threadproof.analysis.values.symbolic import Sum, Symbols
from threadproof.ir.expr import Compare, CompareOp, Expr, GlobalRef, Reg
from threadproof.ir.instr import Alloc, Branch, CompareExchange, Edge, Free, Instr, Load, Rmw, Store, Sync, defs, edges
from threadproof.ir.program import Function

MOST_ARRAYS = 4


class Pointer(NamedTuple):
    """Where a register points to, if to memory of regions: to a block of the region of `element`, or (None) to the
    block that the register `fresh` got, which has no region yet; or, if `at` is no None, so far behind the element."""

    element: Sum | None
    at: int | None
    fresh: str = ""

    def moved(self, by: int) -> Pointer:
        return self if self.at is None else self._replace(at=self.at + by)


State = Mapping[str, Pointer]


@dataclass(frozen=True, slots=True)
class _Lists:
    """An array of lists: its elements begin at `start` and are `stride` bytes apart; `blocks` may hang on them."""

    array: Root
    start: int
    stride: int
    blocks: frozenset[Root]

    @property
    def roots(self) -> frozenset[Root]:
        return self.blocks | {self.array}

    def element(self, total: Sum) -> Pointer | None:
        """The address, if it is one of the array."""
        bases = [one for one in total.terms if isinstance(one[0], GlobalRef) and one[0].name == self.array.name]
        others = [one for one in total.terms if one not in bases]
        if len(bases) != 1 or bases[0][1] != 1 or len(others) > 1 or any(times != self.stride for _, times in others):
            return None
        at = (total.constant - self.start) % self.stride
        return Pointer(Sum(total.terms, total.constant - at), at)


def with_regions(facts: ThreadFacts) -> ThreadFacts:
    """With what is found out about lists; the same, if that is nothing.

    Comparisons may tell that accesses are not to the array. This is taken for granted for a second look at where all
    pointers point to, and must come out again there: then it holds as long as an execution has gone on, and in its next
    step.
    """
    apart = {key: look.lists.array for look in _looks(facts, _candidates(facts)) for key in look.beside_array()}
    refined = analyse_with(facts.tree, MemoryMap(facts.tree, apart), Knowledge()) if apart else facts
    again: set[tuple[str, Expr]] = set()
    regions: dict[Site, RegionAccess] = {}
    for lists in _candidates(refined):
        looks = _looks(refined, [lists])
        if all(look.keeps_apart() for look in looks):
            again.update(key for look in looks for key in look.beside_array() if apart.get(key) == lists.array)
            regions.update(one for look in looks for one in look.accesses())
    if not regions or again != apart.keys():
        return facts
    return replace(refined, memory=refined.memory.with_regions(regions))


def _looks(facts: ThreadFacts, candidates: Iterable[_Lists]) -> list[_Look]:
    return [_Look(facts, name, lists) for lists in candidates for name in facts.points]


def _candidates(facts: ThreadFacts) -> Iterator[_Lists]:
    """Arrays whose elements are given pointers to blocks, all at the same distance from each other."""
    found: dict[str, set[tuple[int, int]]] = {}
    for name in facts.points:
        symbols = facts.flows[name].symbols
        for instr in facts.tree.program.functions[name].instrs():
            if isinstance(instr, Store) and _heap(_values(facts, name, instr.value)):
                total = symbols.sum(instr.address)
                bases = [one.name for one, times in total.terms if isinstance(one, GlobalRef) and times == 1]
                if len(bases) == 1 and len(total.terms) == 2:
                    stride = next(times for one, times in total.terms if not isinstance(one, GlobalRef))
                    found.setdefault(bases[0], set()).add((stride, total.constant))
    for name, shapes in list(found.items())[:MOST_ARRAYS]:
        strides = {stride for stride, _ in shapes}
        if len(strides) == 1 and min(strides) > 0 and not facts.tree.program.globals[name].relocations:
            array = Root(ObjectKind.GLOBAL, name)
            yield _Lists(array, min(at for _, at in shapes), strides.pop(), _hanging_on(facts, array))


def _heap(places: Iterable[Place]) -> frozenset[Root]:
    return frozenset(place.root for place in places if place.root.kind is ObjectKind.HEAP)


def _hanging_on(facts: ThreadFacts, array: Root) -> frozenset[Root]:
    """Blocks to which pointers may be stored in the array, or in such blocks."""
    stores = [
        (_values(facts, name, instr.address), _heap(_values(facts, name, instr.value)))
        for name in facts.points
        for instr in facts.tree.program.functions[name].instrs()
        if isinstance(instr, Store)
    ]
    roots, before = {array}, 0
    while len(roots) != before:
        before = len(roots)
        for targets, values in stores:
            if any(place.root in roots for place in targets):
                roots |= values
    return frozenset(roots) - {array}


@dataclass(slots=True)
class _Look:
    """One thread: where its registers point to, forward over its code."""

    facts: ThreadFacts
    name: str
    lists: _Lists
    _entry: dict[str, dict[str, Pointer]] = field(default_factory=dict[str, dict[str, Pointer]])

    def __post_init__(self) -> None:
        first = self._function.blocks[0].label
        self._entry[first] = {}
        todo = [first]
        while todo:
            label = todo.pop()
            state = dict(self._entry[label])
            instrs = self._function.block(label).instrs
            for instr in instrs:
                self._step(state, instr)
            for edge, condition, holds in _ways(instrs[-1]):
                arriving = self._across(state, edge, condition, holds)
                known = self._entry.get(edge.target)
                met = arriving if known is None else _met(known, arriving)
                if met != known:
                    self._entry[edge.target] = met
                    todo.append(edge.target)

    def _points(self) -> Iterator[tuple[Site, Instr, State]]:
        for label, entry in self._entry.items():
            state = dict(entry)
            for index, instr in enumerate(self._function.block(label).instrs):
                yield Site(self.name, label, index), instr, state
                self._step(state, instr)

    @property
    def _function(self) -> Function:
        return self.facts.tree.program.functions[self.name]

    @property
    def _symbols(self) -> Symbols:
        return self.facts.flows[self.name].symbols

    @property
    def _word(self) -> int:
        return self.facts.tree.program.data_model.pointer_bytes

    def accesses(self) -> Iterator[tuple[Site, RegionAccess]]:
        """Those that are surely made within a region."""
        for site, instr, state in self._points():
            if isinstance(instr, Load | Store):
                found = self._pointer(state, instr.address)
                if found is not None and found.element is not None and self._stays(found, instr.size):
                    yield site, RegionAccess(found.element, self.lists.roots)

    def beside_array(self) -> set[tuple[str, Expr]]:
        """Addresses that could be in the array, and never are when they are used."""
        found: dict[Expr, bool] = {}
        for _, instr, state in self._points():
            for address in _addresses(instr):
                pointer = self._pointer(state, address) if isinstance(instr, Load | Store) else None
                beside = pointer is not None and pointer.element is not None and pointer.at is None
                found[address] = found.get(address, True) and beside
        array = self.lists.array
        return {
            (self.name, address)
            for address, beside in found.items()
            if beside and any(place.root == array for place in _values(self.facts, self.name, address))
        }

    def keeps_apart(self) -> bool:
        """Whether no instruction joins two regions."""
        return all(self._keeps_apart(state, instr) for _, instr, state in self._points())

    def _stays(self, pointer: Pointer, size: int) -> bool:
        return pointer.at is None or 0 <= pointer.at <= self.lists.stride - size

    def _pointer(self, state: State, expr: Expr) -> Pointer | None:
        total = self._symbols.sum(expr)
        found = self.lists.element(total)
        if found is not None or len(total.terms) != 1:
            return found
        symbol, times = total.terms[0]
        known = state.get(symbol.name) if isinstance(symbol, Reg) and times == 1 else None
        return None if known is None else known.moved(total.constant)

    # --- one instruction ---------------------------------------------------------------------------------------------

    def _step(self, state: dict[str, Pointer], instr: Instr) -> None:
        loaded = self._pointer(state, instr.address) if isinstance(instr, Load) else None
        if isinstance(instr, Store):
            self._link(state, instr)
        _forget(state, {reg.name for reg in defs(instr)})
        if isinstance(instr, Alloc) and self._is_block(instr.dst):
            state[instr.dst.name] = Pointer(None, None, instr.dst.name)
        if isinstance(instr, Load) and loaded is not None and not _mentions(loaded, {instr.dst.name}):
            self._loaded(state, instr, loaded)

    def _is_block(self, register: Reg) -> bool:
        roots = {place.root for place in _values(self.facts, self.name, register)}
        return bool(roots) and roots <= self.lists.blocks

    def _loaded(self, state: dict[str, Pointer], instr: Load, source: Pointer) -> None:
        """What is loaded from a region points into it; where it may point to in the array is known from all stores."""
        lists = self.lists
        if not self._stays(source, instr.size) or instr.size != self._word:
            return
        within = [p.offsets for p in _values(self.facts, self.name, instr.dst) if p.root == lists.array]
        ats = {(one.start - lists.start) % lists.stride for one in within if one.stride % lists.stride == 0}
        if any(one.stride % lists.stride for one in within) or len(ats) > 1:
            return
        state[instr.dst.name] = source._replace(at=ats.pop() if ats else None)

    def _link(self, state: dict[str, Pointer], instr: Store) -> None:
        """A block that has no region gets one."""
        target, value = self._pointer(state, instr.address), self._pointer(state, instr.value)
        if target is None or value is None:
            return
        for fresh, element in ((target.fresh, value.element), (value.fresh, target.element)):
            if fresh and element is not None:
                state.update({r: Pointer(element, p.at) for r, p in state.items() if p.fresh == fresh})

    def _across(self, state: State, edge: Edge, condition: Expr | None, holds: bool) -> dict[str, Pointer]:
        found = dict(state)
        for register, pointer in state.items():
            if pointer.at is not None and condition is not None and self._excludes(register, pointer, condition, holds):
                found[register] = pointer._replace(at=None)
        given = {dst.name: pointer for dst, value in edge.moves if (pointer := self._pointer(found, value)) is not None}
        moved = {dst.name for dst, _ in edge.moves}
        _forget(found, moved)
        for name, pointer in given.items():
            if not _mentions(pointer, moved):
                found[name] = pointer
        return found

    def _excludes(self, register: str, pointer: Pointer, condition: Expr, holds: bool) -> bool:
        """Whether the register cannot be where it would be in the array."""
        full = self._symbols.expand(condition)
        if not isinstance(full, Compare) or full.op is not (CompareOp.NE if holds else CompareOp.EQ):
            return False
        if pointer.element is None or pointer.at is None:
            return False
        apart = self._symbols.sum(full.left).minus(self._symbols.sum(full.right))
        there = Sum(pointer.element.terms, pointer.element.constant + pointer.at)
        return any(
            isinstance(symbol, Reg)
            and symbol.name == register
            and abs(times) == 1
            and Sum(((symbol, 1),), 0).minus(there).times(times) == apart
            for symbol, times in apart.terms
        )

    # --- the rule ----------------------------------------------------------------------------------------------------

    def _keeps_apart(self, state: State, instr: Instr) -> bool:
        match instr:
            case Store():
                writes = [(instr.address, instr.value, instr.size)]
            case Rmw():
                writes = [(instr.address, instr.value, 0)]
            case CompareExchange():
                writes = [(instr.address, instr.desired, 0)]
            case Sync():
                writes = [(address, address, 0) for address, _ in self.facts.memory.results(instr)]
            case _:
                return True
        return all(self._harmless(state, *one) for one in writes)

    def _harmless(self, state: State, address: Expr, value: Expr, size: int) -> bool:
        """A store to other memory, of what is no pointer to this, or inside of a region."""
        targets, given = (_values(self.facts, self.name, one) for one in (address, value))
        if any(place.root.kind is ObjectKind.ANYTHING for place in (*targets, *given)):
            return False
        roots = self.lists.roots
        if not any(place.root in roots for place in targets):
            return True
        if any(place.root.kind in MEMORY and place.root not in roots for place in given):
            return False  # through other objects, regions could lead to each other
        return not any(place.root in roots for place in given) or self._keeps(state, address, value, size)

    def _keeps(self, state: State, address: Expr, value: Expr, size: int) -> bool:
        target, given = self._pointer(state, address), self._pointer(state, value)
        if target is None or given is None or size != self._word:
            return False
        if not self._stays(target, size) or not self._stays(given, 1):
            return False
        if target.element is not None and given.element is not None:
            return target.element == given.element
        if target.element is None and given.element is None:
            return target.fresh == given.fresh
        return True  # a block that has no region yet


def _ways(last: Instr) -> Iterator[tuple[Edge, Expr | None, bool]]:
    if isinstance(last, Branch):
        yield last.then, last.condition, True
        yield last.otherwise, last.condition, False
    else:
        yield from ((edge, None, True) for edge in edges(last))


def _met(a: State, b: State) -> dict[str, Pointer]:
    """What holds on both ways. Who is beside the array on one of them is, if in it, where the other one says."""
    found: dict[str, Pointer] = {}
    for register, mine in a.items():
        other = b.get(register)
        if other is not None and mine._replace(at=None) == other._replace(at=None):
            ats = {mine.at, other.at} - {None}
            if len(ats) <= 1:
                found[register] = mine._replace(at=ats.pop() if ats else None)
    return found


def _mentions(pointer: Pointer, names: set[str]) -> bool:
    return pointer.fresh in names or (pointer.element is not None and bool(pointer.element.mentions() & names))


def _forget(state: dict[str, Pointer], names: set[str]) -> None:
    """Registers get new values."""
    if names:
        for register in [r for r, p in state.items() if r in names or _mentions(p, names)]:
            del state[register]


def _values(facts: ThreadFacts, thread: str, expr: Expr) -> frozenset[Place]:
    """Where it may point to, whatever is known when it is used as an address."""
    return facts.memory.points_to.expression(thread, expr)


def _addresses(instr: Instr) -> tuple[Expr, ...]:
    match instr:
        case Load() | Store() | Rmw() | CompareExchange() | Free():
            return (instr.address,)
        case Sync():
            return instr.args
        case _:
            return ()
