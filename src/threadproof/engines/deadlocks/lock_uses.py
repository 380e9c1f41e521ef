"""LockUses of locks and variables, by points-to sets of inclusion: finer than those of the checker."""

from __future__ import annotations

from threadproof.analysis.points_to import ObjectKind, PointsTo
from threadproof.automaton import ProgramAutomaton, Step
from threadproof.engines.deadlocks.addresses import lock_address
from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr
from threadproof.ir.instr import Store, Sync
from threadproof.sync.facts import HAS_HOLDER, Act, does, sync_facts


class LockUses:
    def __init__(self, automaton: ProgramAutomaton, points_to: PointsTo) -> None:
        self._points_to = points_to
        self._several: set[str] = set()
        self.unclear: set[Expr] = set()  # addresses of locks that are not known by name
        self._steps = [step for letter in automaton.letters for step in letter.steps]
        for step, address in self._locks():
            places = points_to.expression(step.site.function, address)
            blurred = {str(p.root) for p in places if p.root.kind is not ObjectKind.GLOBAL or p.offsets.stride}
            self._several |= blurred
        for step, address in self._locks():
            if not is_single(self.of(step, address)):
                self.unclear.add(address)
        self.odd = self._not_plain()
        self.flags, self.waits = self._conditions()

    def _locks(self) -> list[tuple[Step, Expr]]:
        found: list[tuple[Step, Expr]] = []
        for step in self._steps:
            if isinstance(step.instr, Sync) and is_lock(step.instr):
                address = lock_address(step.instr)
                found += [] if address is None else [(step, address)]
        return found

    def of(self, step: Step, address: Expr) -> frozenset[str]:
        found: set[str] = set()
        for root, (start, stride) in self._points_to.expression(step.site.function, address):
            one = root.kind is ObjectKind.GLOBAL and not stride and str(root) not in self._several
            found.add((f"{root}+{start}" if start else str(root)) if one else f"{root}[...]")
        return frozenset(found)

    def variable(self, step: Step, address: Expr) -> str | None:
        places = self._points_to.expression(step.site.function, address)
        if len(places) != 1:
            return None
        root, (start, stride) = next(iter(places))
        if root.kind is not ObjectKind.GLOBAL or stride:
            return None
        return f"{root}+{start}" if start else str(root)

    def sets(self, step: Step) -> str | None:
        """The variable that the step sets to something else than 0."""
        instr = step.instr
        value = constant(instr.value) if isinstance(instr, Store) else None
        if not isinstance(instr, Store) or value is None or not value.value % (1 << 8 * instr.size):
            return None
        return self.variable(step, instr.address)

    def _conditions(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """Variables that are set, and conditions that threads wait on with their mutexes."""
        waits: set[tuple[str, str]] = set()
        for step in self._steps:
            if isinstance(step.instr, Sync) and does(step.instr, Act.ENQUEUE):
                condition, locks = self.variable(step, step.instr.args[0]), self.of(step, step.instr.args[1])
                waits |= {(lock, condition) for lock in locks} if condition is not None else set()
        flags = {self.sets(step) for step in self._steps} if waits else set[str | None]()
        return frozenset(flag for flag in flags if flag is not None), frozenset(waits)

    def _not_plain(self) -> frozenset[str]:
        """Locks that are set up with attributes: taking one may fail."""
        odd: frozenset[str] = frozenset()
        for step in self._steps:
            if isinstance(step.instr, Sync) and does(step.instr, Act.INIT):
                given = step.instr.args[1:] if sync_facts(step.instr).family in HAS_HOLDER else ()
                if not all(isinstance(arg, Const) and not arg.value for arg in given):
                    odd |= self.of(step, step.instr.args[0])
        return odd


def is_lock(instr: Sync) -> bool:
    facts = sync_facts(instr)
    return facts.family in HAS_HOLDER or facts.act in (Act.ENQUEUE, Act.WAKE)


def is_single(names: frozenset[str]) -> bool:
    return len(names) == 1 and not any(name.endswith("[...]") for name in names)
