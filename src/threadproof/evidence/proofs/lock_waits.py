"""Threads that wait for an event, and those that wait for their end.

Who waits for an event may have no lock, is not main, and then main does not leave by `pthread_exit`; then nobody comes
to wait for such a thread but by a join. A join of a thread that may wait is allowed where the wait is over by then: the
thread joins after it has *set* a flag and then *told* the condition variable, by a broadcast, and the other one waits
only where it has read the flag as 0 under the mutex that it gives back as it begins to wait. All stores to the flag
are of constants other than 0, under the same mutex, which excludes. So the flag was still unset when the wait began,
the store came later, the broadcast later still: it woke the waiter. After the store nobody begins such a wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from threadproof.analysis.points_to import Place, may_meet
from threadproof.automaton import ProgramAutomaton, Step
from threadproof.core.lock_words import has_set, has_told, seen_unset, waiting_for
from threadproof.evidence.proofs.lock_names import Doubt, LockNames
from threadproof.evidence.proofs.lock_worlds import World, Worlds
from threadproof.ir.constant import constant
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Expr
from threadproof.ir.instr import CompareExchange, Free, Load, Rmw, Store, Sync
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does, operands


class Guard(NamedTuple):
    """Why a thread waits: it has read the flag as 0 under the lock that it gave back."""

    flag: str
    lock: str
    condition: str


class EventWait(NamedTuple):
    template: str
    where: str
    guards: frozenset[Guard] = frozenset()


class ThreadJoin(NamedTuple):
    where: str
    joined: tuple[str, ...]
    done: frozenset[str]


class FlagStore(NamedTuple):
    """Of a constant other than 0."""

    flag: str
    size: int
    under: frozenset[str]


class Waits:
    def __init__(self, program: Program, automaton: ProgramAutomaton, names: LockNames) -> None:
        self._program = program
        self._automaton = automaton
        self._names = names
        self._flags: dict[str, tuple[Place, int]] = {}
        self._guards: set[Guard] = set()
        self._stores: dict[Site, set[FlagStore]] = {}
        self.events: list[EventWait] = []
        self.joins: list[ThreadJoin] = []
        self._find_guards()

    def _find_guards(self) -> None:
        """What a thread might have read before it waits."""
        pairs: set[tuple[str, str]] = set()
        steps = [step for letter in self._automaton.letters for step in letter.steps]
        for step in steps:
            if does(step.instr, Act.ENQUEUE):
                assert isinstance(step.instr, Sync)
                condition = self._names.variable(step, step.instr.args[0])
                locks = self._names.of(step, step.instr.args[1])
                if condition is not None and self._names.is_single(locks):
                    pairs.add((next(iter(locks)), condition[0]))
        for step in steps if pairs else ():
            store = self._sets(step)
            if store is not None:
                self._flags[store[0]] = (store[1], store[2])
        self._guards = {Guard(flag, lock, condition) for flag in self._flags for lock, condition in pairs}

    @property
    def any_flags(self) -> bool:
        return bool(self._flags)

    # --- on the way --------------------------------------------------------------------------------------------------

    def _sets(self, step: Step) -> tuple[str, Place, int] | None:
        """The variable that the step surely sets to something else than 0."""
        instr = step.instr
        found = self._names.variable(step, instr.address) if isinstance(instr, Store) else None
        if not isinstance(instr, Store) or found is None:
            return None
        value = constant(instr.value)
        return (*found, instr.size) if value is not None and value.value % (1 << 8 * instr.size) else None

    def access(self, step: Step, world: World) -> None:
        """Before the step."""
        store = self._sets(step)
        if store is not None and store[0] in self._flags:
            found = FlagStore(store[0], store[2], frozenset(world.surely))
            self._stores.setdefault(step.site, set()).add(found)
            world.done.add(has_set(store[0]))

    def loaded(self, step: Step, world: World) -> None:
        """After the step."""
        instr = step.instr
        if not isinstance(instr, Load) or instr.dst.width != 8 * instr.size:
            return
        found = self._names.variable(step, instr.address)
        if found is not None and self._flags.get(found[0]) == (found[1], instr.size):
            value = world.run.register(step, instr.dst)
            world.loads += [(value, found[0], lock) for lock in sorted(world.surely)]

    def released(self, names: frozenset[str], world: World) -> None:
        world.loads = [one for one in world.loads if one[2] not in names]
        world.done -= {seen_unset(flag, lock) for flag in self._flags for lock in names}

    def after(self, worlds: Worlds, world: World) -> None:
        """At the end of a letter: which flags the thread saw unset."""
        world.done |= {seen_unset(flag, lock) for value, flag, lock in world.loads if worlds.is_zero(world, value)}

    def broadcast(self, step: Step, world: World) -> None:
        assert isinstance(step.instr, Sync)
        found = self._names.variable(step, step.instr.args[0])
        if found is not None:
            world.done |= {has_told(flag, found[0]) for flag in self._flags if has_set(flag) in world.done}

    def enqueue(self, step: Step, world: World) -> None:
        assert isinstance(step.instr, Sync)
        condition = self._names.variable(step, step.instr.args[0])
        locks = self._names.of(step, step.instr.args[1])
        for one in self._guards:
            here = (
                condition is not None
                and one.condition == condition[0]
                and locks == frozenset((one.lock,))
                and one.lock in world.surely
            )
            if here and seen_unset(one.flag, one.lock) in world.done:
                world.done.add(waiting_for(*one))

    def waits(self, template: str, step: Step, world: World) -> None:
        """The thread is woken, or not: what it began to wait for is no longer its affair behind this step."""
        if world.names:
            raise Doubt(f"a wait with the lock {min(world.names)} at {step.instr.loc}")
        guards = {one for one in self._guards if waiting_for(*one) in world.done}
        self.events.append(EventWait(template, str(step.instr.loc), frozenset(guards)))
        world.done -= {waiting_for(*one) for one in guards}

    # --- the whole ---------------------------------------------------------------------------------------------------

    def check(self, main_exits: bool, no_gates: set[str]) -> None:
        """`no_gates`: locks that may not exclude."""
        if not self.events:
            return
        main = self._automaton.main
        if main_exits or any(event.template == main for event in self.events):
            raise Doubt(f"main, or threads without it, may wait for an event at {self.events[0].where}")
        for join in self.joins:
            for event in self.events:
                told = (one for one in event.guards if has_told(one.flag, one.condition) in join.done)
                over = any(one.lock not in no_gates and self._is_only_set(one) for one in told)
                if event.template in join.joined and not over:
                    raise Doubt(f"a join at {join.where} may be of a thread that waits for an event")

    def _is_only_set(self, guard: Guard) -> bool:
        """Whether all stores to the flag are of constants other than 0, under the lock."""
        place, size = self._flags[guard.flag]
        for letter in self._automaton.letters:
            for step in letter.steps:
                stores = self._stores.get(step.site, set())
                clean = (one.flag == guard.flag and one.size == size and guard.lock in one.under for one in stores)
                if stores and all(clean):
                    continue
                for address, written_size in written(self._program, step):
                    places = self._names.places_of(step, address)
                    if may_meet(places, written_size, [place], size):
                        return False
        return True


def written(program: Program, step: Step) -> Iterator[tuple[Expr, int]]:
    """What a step stores, but for what operations do to their own objects."""
    instr = step.instr
    if isinstance(instr, Store | Rmw | CompareExchange):
        yield instr.address, instr.size
    if isinstance(instr, Free):
        yield instr.address, 1 << 20
    if isinstance(instr, Sync):
        pointer = program.data_model.pointer_bits // 8
        yield from ((one.address, one.size) for one in operands(instr, pointer) if one.writes and one.of_program)
