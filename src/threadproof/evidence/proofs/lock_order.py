"""Checks that threads cannot wait for each other in a circle.

Paper: E. G. Coffman, M. J. Elphick, A. Shoshani, System Deadlocks, Computing Surveys 1971; gate locks: K. Havelund,
Using Runtime Analysis to Guide Model Checking of Java Programs, SPIN 2000.
Differs: static, for any number of threads, from a labelling that is checked letter by letter.

Why it suffices. Take a state in which every live thread is blocked. Who holds a lock is alive (threads end without
locks) and *may* hold it by the label of where it stands; so from a thread that waits for a lock there is a next one,
which is blocked, too. One that waits for an event (a signal, a permit, a barrier) holds nothing, so it is nobody's
next; nor is it main. Only main joins, holding nothing, and then no thread waits for events. So from main, or where no
thread waits for events from any thread, the way never ends, and leads into a circle. Each of its threads holds the lock
that the one before waits for: a circle in the graph of locks. Two threads of the circle are different, and neither has
a lock that the other *surely* has, if locks exclude: nobody gives back, or sets up, what is another's. If a lock has
several holders (readers), one of them is chosen for all who wait: so no lock is twice in the circle.

A thread never has a lock twice, because taking one that it may hold is a circle by itself: what it gives back is gone.

Invariants: trusts the automaton, the table of operations and points-to sets by unification; nothing of an engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from threadproof.analysis.points_to import Method, ObjectKind, Place, PointsTo, analyse, may_meet
from threadproof.automaton import CannotUnfold, End, Letter, LetterSize, ProgramAutomaton, Step, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.graph import compatible_circle
from threadproof.core.proofs import LockOrderProof, LocksAtLocation
from threadproof.evidence.proofs.outcome import Accepted, NotCovered, ProofCheck, Rejected
from threadproof.ir.content import initial_bytes
from threadproof.ir.expr import Const, Expr
from threadproof.ir.instr import CompareExchange, Free, Rmw, Store, Sync
from threadproof.ir.program import Program
from threadproof.sync.facts import HAS_HOLDER, Act, Attempt, LockMode, SyncFacts, does, operands, sync_facts
from threadproof.sync.operations import MUTEX_FIELDS, extent

MOST_PATHS = 200_000
LOCK_BYTES = 64  # no lock of the library is larger


class Doubt(Exception):
    """Something that the argument does not cover."""


class Request(NamedTuple):
    """A thread of the template waits for the lock `then` and may have `first`; it surely has `gates`."""

    first: str
    then: str
    gates: frozenset[str]
    template: str
    where: str


@dataclass(slots=True)
class Held:
    """What a thread has, on its way through a letter."""

    maybe: set[str]
    surely: set[str]
    alone: bool


@dataclass(slots=True)
class LettersSeen:
    """What all letters come to."""

    requests: set[Request] = field(default_factory=set[Request])
    broken: set[str] = field(default_factory=set[str])  # locks that do not exclude: no gates
    events: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # template and place of waits
    joins: list[str] = field(default_factory=list[str])
    main_exits: bool = False


def check_lock_order(program: Program, proof: LockOrderProof) -> ProofCheck:
    try:
        automaton = program_automaton(program, size=LetterSize.SMALL)
        return _Checker(program, automaton, proof).check()
    except (CannotUnfold, Doubt) as doubt:
        return NotCovered(str(doubt))


class LockNames:
    """Which lock an address is."""

    def __init__(self, automaton: ProgramAutomaton, points_to: PointsTo) -> None:
        self._points_to = points_to
        self._blurred: set[str] = set()
        self.places: set[Place] = set()
        if points_to.wild:
            raise Doubt(f"a pointer that may point anywhere{_wild_store(automaton, points_to)}")
        for step, address in _lock_addresses(automaton):
            places = points_to.expression(step.site.function, address)
            if not places or any(place.root.kind is ObjectKind.ANYTHING for place in places):
                raise Doubt(f"a lock that may be anywhere at {step.instr.loc}")
            self.places |= places
            self._blurred |= {str(place.root) for place in places if not _is_one(place)}

    def of(self, step: Step, address: Expr) -> frozenset[str]:
        return frozenset(map(self.name, self._points_to.expression(step.site.function, address)))

    def is_one(self, name: str) -> bool:
        return not name.endswith("[...]")

    def name(self, place: Place) -> str:
        root, at = str(place.root), place.offsets.start
        if not _is_one(place) or root in self._blurred:
            return f"{root}[...]"
        return f"{root}+{at}" if at else root


def _wild_store(automaton: ProgramAutomaton, points_to: PointsTo) -> str:
    """Where something is stored behind it, if that is seen."""
    stores = (step for letter in automaton.letters for step in letter.steps if isinstance(step.instr, Store | Rmw))
    for step in stores:
        assert isinstance(step.instr, Store | Rmw)
        places = points_to.expression(step.site.function, step.instr.address)
        if any(place.root.kind is ObjectKind.ANYTHING for place in places):
            return f" at {step.instr.loc}"
    return ""


def _is_one(place: Place) -> bool:
    return place.root.kind is ObjectKind.GLOBAL and not place.offsets.stride


def _lock_addresses(automaton: ProgramAutomaton) -> Iterator[tuple[Step, Expr]]:
    for letter in automaton.letters:
        for step in letter.steps:
            if isinstance(step.instr, Sync):
                facts = sync_facts(step.instr)
                arguments = {facts.locks.arg} if facts.locks else set[int]()
                arguments |= {facts.releases} if facts.releases is not None else set[int]()
                arguments |= {0} if _is_lock(facts) and facts.act in (Act.INIT, Act.DESTROY) else set[int]()
                yield from ((step, step.instr.args[n]) for n in arguments if _is_lock(facts) or facts.act is Act.WAKE)


def _is_lock(facts: SyncFacts) -> bool:
    return facts.family in HAS_HOLDER or facts.act in (Act.ENQUEUE, Act.WAKE)


class _Checker:
    def __init__(self, program: Program, automaton: ProgramAutomaton, proof: LockOrderProof) -> None:
        self._program = program
        self._automaton = automaton
        self._points_to = analyse(program, Method.STEENSGAARD)
        self._names = LockNames(automaton, self._points_to)
        self._labels = {(one.template, one.location): one for one in proof.held}
        self._bounds = instance_bounds(automaton)
        self._odd = self._not_plain()
        self._seen = LettersSeen()

    def check(self) -> ProofCheck:
        for name, thread in self._automaton.templates.items():
            entry = self._label(name, thread.entry.number)
            if entry is None or entry.surely or (entry.alone and name != self._automaton.main):
                return Rejected(f"the label where {name} begins claims too much")
        for letter in self._automaton.letters:
            if self._label(letter.template, letter.source.number) is None:
                return Rejected(f"no label at {letter.source} of {letter.template}")
            self._letter(letter)
        self._stores()
        self._waits()
        self._circles()
        return Accepted({"requests": len(self._seen.requests), "labels": len(self._labels)})

    def _label(self, template: str, location: int) -> LocksAtLocation | None:
        return self._labels.get((template, location))

    # --- labels ------------------------------------------------------------------------------------------------------

    def _letter(self, letter: Letter) -> None:
        """Its target's label follows from its source's, also with coarser points-to sets than the engine's."""
        source = self._labels[letter.template, letter.source.number]
        held = Held(set(source.maybe), set(source.surely), source.alone)
        for step in letter.steps:
            self._step(letter.template, step, held)
        if isinstance(letter.target.at, End):
            self._end(letter, held, letter.target.at)
            return
        target = self._label(letter.template, letter.target.number)
        known = target is not None and held.maybe <= set(target.maybe) and held.surely >= set(target.surely)
        if target is None or not known or (target.alone and not held.alone):
            where = letter.steps[-1].instr.loc if letter.steps else letter.target
            raise Doubt(f"which locks {letter.template} holds after {where} does not follow from the proof")

    def _end(self, letter: Letter, held: Held, end: End) -> None:
        lines = [step.instr.loc for step in letter.steps if step.instr.loc.line]
        where = f"at {lines[-1]}" if lines else f"in {letter.template}"
        if end in (End.UNSUPPORTED, End.UNDEFINED):
            raise Doubt(f"{end.value} may be reached {where}")
        if end is End.FINISHED:
            self._seen.main_exits |= letter.template == self._automaton.main
            if held.maybe:
                raise Doubt(f"a thread may end with the lock {min(held.maybe)} {where}")

    def _step(self, template: str, step: Step, held: Held) -> None:
        instr = step.instr
        if step.cancelled or does(instr, Act.CANCEL, Act.KEY_CREATE):
            raise Doubt(f"cancellation, or destructors of keys, at {instr.loc}")
        if not isinstance(instr, Sync):
            return
        facts = sync_facts(instr)
        if does(instr, Act.CREATE):
            held.alone = False
        if not _is_lock(facts):
            self._other_wait(template, step, facts, held)
            return
        if facts.act is Act.INIT and not held.alone:
            self._seen.broken |= self._names.of(step, instr.args[0])
        if facts.releases is not None:
            self._release(step, self._names.of(step, instr.args[facts.releases]), held)
        if facts.act is Act.WAKE:
            self._event(template, step, held)
        if facts.locks is not None:
            self._take(template, step, facts, held)

    def _other_wait(self, template: str, step: Step, facts: SyncFacts, held: Held) -> None:
        if facts.act is Act.JOIN:
            if template != self._automaton.main or held.maybe:
                raise Doubt(f"a join by a thread, or with a lock, at {step.instr.loc}")
            self._seen.joins.append(str(step.instr.loc))
        elif facts.may_block:
            self._event(template, step, held)

    def _event(self, template: str, step: Step, held: Held) -> None:
        if held.maybe:
            raise Doubt(f"a wait with the lock {min(held.maybe)} at {step.instr.loc}")
        self._seen.events.append((template, str(step.instr.loc)))

    def _release(self, step: Step, names: frozenset[str], held: Held) -> None:
        self._seen.broken |= {name for name in names if name not in held.surely or len(names) > 1}
        held.surely -= names
        if len(names) == 1 and all(map(self._names.is_one, names)):
            held.maybe -= names

    def _take(self, template: str, step: Step, facts: SyncFacts, held: Held) -> None:
        assert isinstance(step.instr, Sync)
        assert facts.locks is not None
        names, where = self._names.of(step, step.instr.args[facts.locks.arg]), str(step.instr.loc)
        waits = facts.attempt is Attempt.NO
        if waits and facts.locks.failures:
            raise Doubt(f"a lock that may not be taken at {where}")
        if not waits and names & held.maybe & self._odd:
            raise Doubt(f"a lock that may be taken twice at {where}")
        if waits:
            gates = frozenset(held.surely)
            self._seen.requests |= {Request(h, n, gates, template, where) for h in held.maybe for n in names}
        held.maybe |= names
        one = len(names) == 1 and all(map(self._names.is_one, names)) and not names & self._odd
        if waits and one and facts.locks.sharing is LockMode.EXCLUSIVE:
            held.surely |= names

    # --- the whole ---------------------------------------------------------------------------------------------------

    def _not_plain(self) -> set[str]:
        """Locks that a thread might have twice, or fail to take: recursive and error-checking mutexes."""
        odd: set[str] = set()
        for letter in self._automaton.letters:
            for step in letter.steps:
                if isinstance(step.instr, Sync) and does(step.instr, Act.INIT) and _is_lock(sync_facts(step.instr)):
                    plain = all(isinstance(arg, Const) and not arg.value for arg in step.instr.args[1:])
                    odd |= set() if plain else self._names.of(step, step.instr.args[0])
        return odd | {self._names.name(place) for place in self._names.places if not self._begins_plain(place)}

    def _begins_plain(self, place: Place) -> bool:
        variable = self._program.globals.get(place.root.name) if _is_one(place) else None
        if variable is None or variable.relocations:
            return False
        content = initial_bytes(variable, self._program.layout(), self._program.data_model.pointer_bits // 8)
        return not any(content[place.offsets.start : place.offsets.start + extent(MUTEX_FIELDS)])

    def _stores(self) -> None:
        """Nobody writes into a lock but by its operations."""
        for letter in self._automaton.letters:
            for step in letter.steps:
                for address, size in self._written(step):
                    places = self._points_to.expression(step.site.function, address)
                    if may_meet(places, size, self._names.places, LOCK_BYTES):
                        raise Doubt(f"a store that may change a lock at {step.instr.loc}")

    def _written(self, step: Step) -> Iterator[tuple[Expr, int]]:
        instr = step.instr
        if isinstance(instr, Store | Rmw | CompareExchange):
            yield instr.address, instr.size
        if isinstance(instr, Free):
            yield instr.address, 1 << 20
        if isinstance(instr, Sync):
            pointer = self._program.data_model.pointer_bits // 8
            yield from ((one.address, one.size) for one in operands(instr, pointer) if one.writes and one.of_program)

    def _waits(self) -> None:
        seen = self._seen
        if not seen.events:
            return
        if seen.main_exits or any(template == self._automaton.main for template, _ in seen.events):
            raise Doubt(f"main, or threads without it, may wait for an event at {seen.events[0][1]}")
        if seen.joins:
            raise Doubt(f"a join at {seen.joins[0]} may be of a thread that waits for an event")

    def _circles(self) -> None:
        gates = {request: request.gates - self._seen.broken for request in self._seen.requests}

        def fit(one: Request, other: Request) -> bool:
            apart = one.template != other.template or self._bounds[one.template] > 1
            return apart and gates[one].isdisjoint(gates[other])

        try:
            circle = compatible_circle(sorted(self._seen.requests, key=str), _ends, fit, MOST_PATHS)
        except OverflowError as error:
            raise Doubt("too many paths between locks") from error
        if circle is not None:
            told = "; ".join(f"{r.then} with {r.first} at {r.where}" for r in circle)
            raise Doubt(f"threads may take locks in a circle: {told}")


def _ends(request: Request) -> tuple[str, str]:
    return request.first, request.then
