"""Checks that threads cannot wait for each other in a circle.

Paper: E. G. Coffman, M. J. Elphick, A. Shoshani, System Deadlocks, Computing Surveys 1971; gate locks: K. Havelund,
Using Runtime Analysis to Guide Model Checking of Java Programs, SPIN 2000.
Differs: static, for any number of threads, from a labelling that is checked letter by letter; ends of threads are
resources like locks; locks in arrays have an order by address.

Why it suffices. Take a state in which every live thread is blocked. Who holds a lock is alive (threads end without
locks) and *may* hold it by a label of where it stands; every thread holds its own end for as long as it lives. So from
a thread that waits for a lock, or joins, there is a next one, which is blocked, too. One that waits for an event (a
signal, a permit, a barrier) holds no lock, so it is nobody's next but by a join; that is excluded by `lock_waits`, and
main never waits for an event. So from main, or where no thread waits for events from any thread, the way never ends,
and leads into a circle. Each of its threads has what the one before waits for: a circle in the graph of resources,
whose nodes are names: all locks of an array are one node. What leads from a name to itself is left out if all such
requests go to a higher address (or all to a lower one) than what is held: a circle of these alone cannot be, and
without them any other circle still contains one through different names. Two threads of the circle are different, and
neither has a lock that the other *surely* has, if locks exclude: nobody gives back, or sets up, what is another's. If a
lock has several holders (readers), one of them is chosen for all who wait.

A thread never has a lock twice, because waiting for one that it may hold is a circle by itself, and trying one that
would be taken again (a recursive mutex, a read-write lock for reading) is refused: what it gives back is gone.

Invariants: trusts the automaton, the table of operations, points-to sets by unification, and z3 about registers of one
thread; nothing of an engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from threadproof.analysis.points_to import Method, ObjectKind, analyse
from threadproof.automaton import CannotUnfold, End, Letter, LetterSize, ProgramAutomaton, Step, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.graph import compatible_circle
from threadproof.core.lock_words import end_of
from threadproof.core.proofs import LockOrderProof
from threadproof.encoding.thread_values import ThreadValues
from threadproof.evidence.proofs.lock_names import Doubt, LockNames, is_lock
from threadproof.evidence.proofs.lock_waits import EventWait, ThreadJoin, Waits, written
from threadproof.evidence.proofs.lock_worlds import LockLabel, NotALabel, World, Worlds, results
from threadproof.evidence.proofs.outcome import Accepted, NotCovered, ProofCheck, Rejected
from threadproof.ir.instr import Sync
from threadproof.ir.program import Program
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act, Attempt, LockMode, SyncFacts, does, sync_facts

MOST_PATHS = 200_000
Labels = dict[tuple[str, int], list[LockLabel]]


class Request(NamedTuple):
    """A thread of the template waits for `then` and may have `first`; it surely has `gates`."""

    first: str
    then: str
    gates: frozenset[str]
    template: str
    where: str


@dataclass(slots=True)
class LettersSeen:
    """What all letters come to."""

    requests: set[Request] = field(default_factory=set[Request])
    upwards: set[Request] = field(default_factory=set[Request])  # of a name to itself, at a higher address
    downwards: set[Request] = field(default_factory=set[Request])
    broken: set[str] = field(default_factory=set[str])  # locks that do not exclude: no gates
    main_exits: bool = False


def check_lock_order(program: Program, proof: LockOrderProof) -> ProofCheck:
    try:
        automaton = program_automaton(program, size=LetterSize.SMALL)
        return _Checker(program, automaton, proof).check()
    except (CannotUnfold, Doubt) as doubt:
        return NotCovered(str(doubt))
    except NotALabel as wrong:
        return Rejected(str(wrong))


class _Checker:
    def __init__(self, program: Program, automaton: ProgramAutomaton, proof: LockOrderProof) -> None:
        self._program = program
        self._automaton = automaton
        self._points_to = analyse(program, Method.STEENSGAARD)
        self._names = LockNames(program, automaton, self._points_to)
        self._waits = Waits(program, automaton, self._names)
        self._terms = Terms()
        values = ThreadValues(program, self._terms)
        values.followed = self._waits.any_flags or self._names.any_unclear
        self._worlds = Worlds(self._terms, values)
        self._labels: Labels = {}
        for one in proof.held:
            self._labels.setdefault((one.template, one.location), []).append(self._worlds.label(one))
        self._bounds = instance_bounds(automaton)
        self._odd = self._names.not_plain(program, automaton)
        self._seen = LettersSeen()

    def check(self) -> ProofCheck:
        for name, thread in self._automaton.templates.items():
            if not any(self._may_begin(name, label) for label in self._at(name, thread.entry.number)):
                return Rejected(f"no label where {name} begins, or all of them claim too much")
        for letter in self._automaton.letters:
            for label in self._at(letter.template, letter.source.number):
                self._letter(letter, label)
        self._stores()
        self._waits.check(self._seen.main_exits, self._seen.broken | self._odd)
        self._circles()
        return Accepted({"requests": len(self._seen.requests), "labels": sum(map(len, self._labels.values()))})

    def _at(self, template: str, location: int) -> list[LockLabel]:
        return self._labels.get((template, location), [])

    def _may_begin(self, template: str, label: LockLabel) -> bool:
        of = label.of
        claims = of.surely or of.done or label.placed or label.facts or (of.alone and template != self._automaton.main)
        return not claims

    # --- labels ------------------------------------------------------------------------------------------------------

    def _letter(self, letter: Letter, label: LockLabel) -> None:
        """One of its target's labels follows, also with coarser points-to sets than the engine's."""
        worlds = [self._worlds.begin(label)]
        for step in letter.steps:
            worlds = [after for world in worlds for after in self._step(letter.template, step, world)]
        for world in worlds:
            self._waits.after(self._worlds, world)
            if isinstance(letter.target.at, End):
                self._end(letter, world, letter.target.at)
                continue
            targets = self._at(letter.template, letter.target.number)
            if any(self._worlds.follows(world, target) for target in targets) or not self._worlds.is_possible(world):
                continue
            where = letter.steps[-1].instr.loc if letter.steps else letter.target
            raise Doubt(f"which locks {letter.template} holds after {where} does not follow from the proof")

    def _end(self, letter: Letter, world: World, end: End) -> None:
        lines = [step.instr.loc for step in letter.steps if step.instr.loc.line]
        where = f"at {lines[-1]}" if lines else f"in {letter.template}"
        if end in (End.UNSUPPORTED, End.UNDEFINED) and self._worlds.is_possible(world):
            raise Doubt(f"{end.value} may be reached {where}")
        if end is End.FINISHED:
            self._seen.main_exits |= letter.template == self._automaton.main
            if world.names and self._worlds.is_possible(world):
                raise Doubt(f"a thread may end with the lock {min(world.names)} {where}")

    def _step(self, template: str, step: Step, world: World) -> Iterator[World]:
        instr = step.instr
        if step.cancelled or does(instr, Act.CANCEL, Act.KEY_CREATE):
            raise Doubt(f"cancellation, or destructors of keys, at {instr.loc}")
        for after in self._operation(template, step, world) if isinstance(instr, Sync) else self._plain(step, world):
            if after.run.is_possible:
                yield after

    def _plain(self, step: Step, world: World) -> Iterator[World]:
        self._waits.access(step, world)
        world.run.after(step)
        self._waits.loaded(step, world)
        yield world

    def _operation(self, template: str, step: Step, world: World) -> Iterator[World]:
        instr = step.instr
        assert isinstance(instr, Sync)
        facts = sync_facts(instr)
        if does(instr, Act.CREATE):
            world.alone = False
        if does(instr, Act.BROADCAST):
            self._waits.broadcast(step, world)
        if not is_lock(facts):
            self._other_wait(template, step, facts, world)
            world.run.after(step)
            yield world
            return
        if facts.act is Act.INIT and not world.alone:
            self._seen.broken |= self._names.of(step, instr.args[0])
        if facts.act is Act.ENQUEUE:
            self._waits.enqueue(step, world)
        if facts.releases is not None:
            self._release(step, facts.releases, world)
        if facts.act is Act.WAKE:
            self._waits.waits(template, step, world)
        if facts.locks is None:
            world.run.after(step)
            yield world
        else:
            yield from self._take(template, step, facts, world)

    def _other_wait(self, template: str, step: Step, facts: SyncFacts, world: World) -> None:
        assert isinstance(step.instr, Sync)
        if facts.act is Act.JOIN:
            joined, where = self._joined(step), str(step.instr.loc)
            self._waits.joins.append(ThreadJoin(where, joined, frozenset(world.done)))
            for target in joined:
                self._request(template, where, world, end_of(target))
        elif facts.may_block:
            if world.names:
                raise Doubt(f"a wait with the lock {min(world.names)} at {step.instr.loc}")
            self._waits.events.append(EventWait(template, str(step.instr.loc)))

    def _joined(self, step: Step) -> tuple[str, ...]:
        """The templates of the threads that a join may wait for; all, if its handle may be any."""
        assert isinstance(step.instr, Sync)
        places = self._points_to.expression(step.site.function, step.instr.args[0])
        every = tuple(self._automaton.templates)
        sites = {place.root.site for place in places if place.root.kind is ObjectKind.THREAD}
        if None in sites or any(place.root.kind is not ObjectKind.THREAD for place in places):
            return every
        steps = (one for letter in self._automaton.letters for one in letter.steps)
        return tuple(dict.fromkeys(one.enters for one in steps if one.site in sites and one.enters)) or every

    # --- locks -------------------------------------------------------------------------------------------------------

    def _release(self, step: Step, argument: int, world: World) -> None:
        assert isinstance(step.instr, Sync)
        names = self._names.of(step, step.instr.args[argument])
        self._seen.broken |= {name for name in names if name not in world.surely or len(names) > 1}
        world.surely -= names
        self._waits.released(names, world)
        if self._names.is_single(names):
            world.maybe -= names
        if world.placed:
            address = world.run.term(step, step.instr.args[argument])
            world.placed = [(one, at) for one, at in world.placed if not self._worlds.same(world, at, address)]

    def _take(self, template: str, step: Step, facts: SyncFacts, world: World) -> Iterator[World]:
        instr = step.instr
        assert isinstance(instr, Sync)
        assert facts.locks is not None
        names, where = self._names.of(step, instr.args[facts.locks.arg]), str(instr.loc)
        waits = facts.attempt is Attempt.NO
        if waits and facts.locks.failures:
            raise Doubt(f"a lock that may not be taken at {where}")
        again = names if facts.locks.sharing is LockMode.SHARED else names & self._odd
        if not waits and again & world.names:
            raise Doubt(f"a lock that may be taken twice at {where}")
        address = world.run.term(step, instr.args[facts.locks.arg])
        in_the_end = waits or facts.act is Act.WAKE  # a wait that runs out of time wants its mutex nevertheless
        for name in sorted(names) if in_the_end else ():
            self._request(template, where, world, name, address)
        codes = None if waits or instr.dst is None else results(instr)
        for code in (None,) if codes is None else codes:
            after = world.copy()
            after.run.after(step)
            if code is not None and instr.dst is not None:
                after.run.put(step, instr.dst, self._terms.bv(code, instr.dst.width))
            if code is None or code not in facts.locks.failures:
                exclusive = facts.locks.sharing is LockMode.EXCLUSIVE and (waits or code is not None)
                self._has(after, names, address, exclusive)
            yield after

    def _has(self, world: World, names: frozenset[str], address: Term, exclusive: bool) -> None:
        if not self._names.is_single(names):
            world.placed += [(name, address) for name in sorted(names)]
            return
        world.maybe |= names
        world.surely |= names if exclusive and not names & self._odd else frozenset()

    def _request(self, template: str, where: str, world: World, then: str, address: Term | None = None) -> None:
        gates = frozenset(world.surely)
        self._seen.requests |= {Request(h, then, gates, template, where) for h in (*world.maybe, end_of(template))}
        for name, at in world.placed:
            request = Request(name, then, gates, template, where)
            if name != then or address is None:
                self._seen.requests.add(request)
            elif self._worlds.below(world, at, address):
                self._seen.upwards.add(request)
            elif self._worlds.below(world, address, at):
                self._seen.downwards.add(request)
            else:
                self._seen.requests.add(request)

    # --- the whole ---------------------------------------------------------------------------------------------------

    def _stores(self) -> None:
        """Nobody writes into a lock but by its operations."""
        for letter in self._automaton.letters:
            for step in letter.steps:
                for address, size in written(self._program, step):
                    if self._names.may_change(self._names.places_of(step, address), size):
                        raise Doubt(f"a store that may change a lock at {step.instr.loc}")

    def _circles(self) -> None:
        seen = self._seen
        both = {one.first for one in seen.upwards} & {one.first for one in seen.downwards}
        unordered = {one for one in seen.upwards | seen.downwards if one.first in both}
        requests = seen.requests | unordered
        gates = {request: request.gates - seen.broken for request in requests}

        def fit(one: Request, other: Request) -> bool:
            apart = one.template != other.template or self._bounds[one.template] > 1
            return apart and gates[one].isdisjoint(gates[other])

        try:
            circle = compatible_circle(sorted(requests, key=str), lambda one: one[:2], fit, MOST_PATHS)
        except OverflowError as error:
            raise Doubt("too many paths between locks") from error
        if circle is not None:
            told = "; ".join(f"{r.then} with {r.first} at {r.where}" for r in circle)
            raise Doubt(f"threads may take locks in a circle: {told}")
