"""What threads hold at every location, as a fixpoint over letters; the checker of the proof draws the conclusions.

Paper: see `evidence/proofs/lock_order.py`, which has the argument. Here is the labelling alone: locks that a thread may
hold grow along letters, locks that it surely holds shrink.
Invariants: never says Unsafe. Whether the labels exclude a deadlock is for the checker to say.
"""

from __future__ import annotations

from typing import NamedTuple

from threadproof.analysis.points_to import ObjectKind, PointsTo, analyse
from threadproof.automaton import CannotUnfold, Letter, LetterSize, Location, ProgramAutomaton, Step, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.budget import Budget
from threadproof.core.graph import compatible_circle
from threadproof.core.observer import Observer
from threadproof.core.proofs import LockOrderProof, LocksAtLocation
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown
from threadproof.engines.task import Task
from threadproof.ir.expr import Const, Expr
from threadproof.ir.instr import Sync
from threadproof.sync.facts import HAS_HOLDER, Act, Attempt, LockMode, does, sync_facts

MOST_PATHS = 100_000


class _Label(NamedTuple):
    maybe: frozenset[str]
    surely: frozenset[str]
    alone: bool

    def joined(self, other: _Label) -> _Label:
        return _Label(self.maybe | other.maybe, self.surely & other.surely, self.alone and other.alone)


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is not Property.NO_DEADLOCK:
        return Unknown(f"the engine deadlocks answers no-deadlock only, not {task.property}")
    observer.progress("unfolding the threads")
    try:
        automaton = program_automaton(task.program, size=LetterSize.SMALL)
    except CannotUnfold as obstacle:
        return Unknown(str(obstacle))
    labelling = _Labelling(automaton, analyse(task.program))
    if not labelling.run(budget):
        return Unknown("time")
    circle = labelling.circle()
    if circle is not None:
        told = "; ".join(f"{edge.then} with {edge.first} at {edge.where}" for edge in circle)
        return Unknown(f"threads may take locks in a circle: {told}")
    return Safe(labelling.proof(), {"locations": len(labelling.labels)})


class _Edge(NamedTuple):
    """A lock that a thread may hold where it takes another, and what it surely holds there."""

    first: str
    then: str
    where: str
    template: str
    gates: frozenset[str]


class _Labelling:
    def __init__(self, automaton: ProgramAutomaton, points_to: PointsTo) -> None:
        self._automaton = automaton
        self._points_to = points_to
        self._several = self._with_several_locks()
        self._odd = self._not_plain()
        self.labels: dict[Location, _Label] = {}

    def run(self, budget: Budget) -> bool:
        """Whether there was time enough."""
        for name, thread in self._automaton.templates.items():
            self.labels[thread.entry] = _Label(frozenset(), frozenset(), name == self._automaton.main)
            todo = [thread.entry]
            while todo:
                if budget.exhausted() is not None:
                    return False
                for letter in thread.letters_from(todo.pop()):
                    after = self._after(letter)
                    known = self.labels.get(letter.target)
                    new = after if known is None else known.joined(after)
                    if new != known:
                        self.labels[letter.target] = new
                        todo.append(letter.target)
        return True

    def _after(self, letter: Letter) -> _Label:
        label = self.labels[letter.source]
        for step in letter.steps:
            label = self._step(label, step)
        return label

    def _step(self, label: _Label, step: Step) -> _Label:
        if does(step.instr, Act.CREATE):
            return label._replace(alone=False)
        if not isinstance(step.instr, Sync):
            return label
        facts, args = sync_facts(step.instr), step.instr.args
        if facts.family not in HAS_HOLDER and facts.act not in (Act.ENQUEUE, Act.WAKE):
            return label
        maybe, surely = label.maybe, label.surely
        if facts.releases is not None:
            names = self._named(step, args[facts.releases])
            surely -= names
            maybe -= names if len(names) == 1 and not _is_several(names) else frozenset()
        if facts.locks is not None:
            names = self._named(step, args[facts.locks.arg])
            maybe |= names
            excludes = facts.attempt is Attempt.NO and facts.locks.sharing is LockMode.EXCLUSIVE
            plain = len(names) == 1 and not _is_several(names) and names.isdisjoint(self._odd)
            surely |= names if excludes and plain else frozenset()
        return _Label(maybe, surely, label.alone)

    # --- names of locks ----------------------------------------------------------------------------------------------

    def _named(self, step: Step, address: Expr) -> frozenset[str]:
        found: set[str] = set()
        for root, (start, stride) in self._points_to.expression(step.site.function, address):
            one = root.kind is ObjectKind.GLOBAL and not stride and str(root) not in self._several
            found.add((f"{root}+{start}" if start else str(root)) if one else f"{root}[...]")
        return frozenset(found)

    def _not_plain(self) -> frozenset[str]:
        """Locks that are set up with attributes: taking one may fail."""
        odd: frozenset[str] = frozenset()
        for letter in self._automaton.letters:
            for step in letter.steps:
                if isinstance(step.instr, Sync) and does(step.instr, Act.INIT):
                    given = step.instr.args[1:] if sync_facts(step.instr).family in HAS_HOLDER else ()
                    if not all(isinstance(arg, Const) and not arg.value for arg in given):
                        odd |= self._named(step, step.instr.args[0])
        return odd

    def _with_several_locks(self) -> set[str]:
        """Objects in which it is not always known which lock is meant."""
        found: set[str] = set()
        for letter in self._automaton.letters:
            for step in letter.steps:
                if isinstance(step.instr, Sync) and (sync_facts(step.instr).family in HAS_HOLDER):
                    places = self._points_to.expression(step.site.function, step.instr.args[0])
                    found |= {str(p.root) for p in places if p.root.kind is not ObjectKind.GLOBAL or p.offsets.stride}
        return found

    # --- the proof ---------------------------------------------------------------------------------------------------

    def proof(self) -> LockOrderProof:
        held = (
            LocksAtLocation(
                at.template, at.number, tuple(sorted(label.maybe)), tuple(sorted(label.surely)), label.alone
            )
            for at, label in self.labels.items()
        )
        return LockOrderProof(tuple(held), tuple(sorted({(e.first, e.then, e.where) for e in self._edges()})))

    def circle(self) -> tuple[_Edge, ...] | None:
        """Locks that threads may take in a circle, as far as gates do not keep them apart."""
        bounds = instance_bounds(self._automaton)

        def fit(one: _Edge, other: _Edge) -> bool:
            apart = one.template != other.template or bounds[one.template] > 1
            return apart and one.gates.isdisjoint(other.gates)

        try:
            return compatible_circle(sorted(self._edges(), key=str), lambda e: (e.first, e.then), fit, MOST_PATHS)
        except OverflowError:
            return None  # the checker says so

    def _edges(self) -> set[_Edge]:
        found: set[_Edge] = set()
        for letter in self._automaton.letters:
            label = self.labels.get(letter.source)
            for step in letter.steps if label is not None else ():
                assert label is not None
                if isinstance(step.instr, Sync) and (facts := sync_facts(step.instr)).waits_for_lock is not None:
                    assert facts.locks is not None
                    names = self._named(step, step.instr.args[facts.locks.arg])
                    where, template = str(step.instr.loc), letter.template
                    found |= {_Edge(h, n, where, template, label.surely) for h in label.maybe for n in names}
                label = self._step(label, step)
        return found


def _is_several(names: frozenset[str]) -> bool:
    return any(name.endswith("[...]") for name in names)
