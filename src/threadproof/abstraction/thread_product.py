"""All threads at once: which letters there are where the threads stand, as transitions, with what may go wrong in them.

Invariants: an action of a thread that waits is there all the same (its guard says so), except where another thread is
inside an atomic block. A fork that would start more instances than are allowed is an action that forbids `true`.
What the places of the threads say of variables (who is started, who has finished, who is inside an atomic block) is put
into the transitions there; `ThreadProduct.known` belongs to the label of every node at those places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from threadproof.abstraction.constants import ThreadConstants
from threadproof.automaton import End, Instance, Letter, Places, ProgramAutomaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.property import Property
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space, Transition, TransitionTrap
from threadproof.encoding.transitions.space import ORDINAL_BITS
from threadproof.ir.instr import ErrorKind
from threadproof.ir.program import Program
from threadproof.semantics.violations import failures, forbidden, spurious_for
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

MORE_INSTANCES = NotEncoded("more threads than were looked at")


@dataclass(frozen=True, slots=True, eq=False)
class ThreadAction:
    """A letter of a thread instance where the threads stand so."""

    instance: Instance
    letter: Letter
    starts: tuple[Instance, ...]
    target: Places
    transition: Transition  # where the threads stand so
    violations: tuple[TransitionTrap, ...]  # of the property
    others: tuple[TransitionTrap, ...]  # what else forbids `true`
    reads: frozenset[Term]  # also where the threads stand
    writes: frozenset[Term]
    loops: bool  # LOOP of algorithm 2, l. 7: it leads to a loop head

    @property
    def key(self) -> tuple[Instance, int]:
        return self.instance, self.letter.id


class ThreadProduct:
    """`most` instances of a template; where there may be more, one more has variables, so that it can be asked
    about."""

    def __init__(self, program: Program, automaton: ProgramAutomaton, prop: Property, most: Mapping[str, int]) -> None:
        self.automaton = automaton
        self.most = dict(most)
        self.terms = Terms()
        spare = {name for name, often in instance_bounds(automaton).items() if often > most[name]}
        self.instances = {name: often + (name in spare) for name, often in most.items() if name != automaton.main}
        self.space = Space(self.terms, program, automaton, self.instances)
        self.encoder = Encoder(self.space, spurious_for(prop, program))
        self.constants = _constants(self.encoder)
        self._failures = failures(prop)
        self._forbidden = forbidden(prop)
        self._order = {instance: number for number, instance in enumerate(self.space.instances)}
        self._actions: dict[Places, tuple[ThreadAction, ...]] = {}
        self._known: dict[Places, dict[Term, Term]] = {}
        self._read: dict[Transition, frozenset[Term]] = {}
        self._made: dict[tuple[object, ...], _Asked] = {}

    def order(self, instance: Instance) -> int:
        """The total order on threads that monotonic paths follow."""
        return self._order[instance]

    def actions(self, places: Places) -> tuple[ThreadAction, ...]:
        """Raises CannotEncode."""
        found = self._actions.get(places)
        if found is None:
            owner = places.owner
            letters = self.automaton.letters_from(places)
            found = tuple(self._action(places, one, letter) for one, letter in letters if owner in (None, one))
            self._actions[places] = found
        return found

    def known(self, places: Places) -> dict[Term, Term]:
        """Values of variables that follow from where the threads are."""
        found = self._known.get(places)
        if found is None:
            terms, at = self.terms, dict(places.threads)
            found = {v.started: terms.bool(one in at) for one, v in self.space.threads.items()}
            ended = {one for one, location in at.items() if location.at is End.FINISHED}
            found.update({v.finished: terms.bool(one in ended) for one, v in self.space.threads.items()})
            owner = places.owner
            found[self.space.owner] = terms.bv(0 if owner is None else self.space.ordinal(owner), ORDINAL_BITS)
            if self.constants is not None:
                for one in self.space.instances:
                    known = self.constants.at(one, at.get(one))
                    found.update({v: x for v, x in known.items() if v not in found})
            self._known[places] = found
        return found

    def _action(self, places: Places, instance: Instance, letter: Letter) -> ThreadAction:
        target = self.automaton.after(places, instance, letter)
        starts = tuple(one for one, _ in target.threads[len(places.threads) :])
        general = self.encoder.transition(instance, letter, starts)
        known = {variable: value for variable, value in self.known(places).items() if variable in self._reads(general)}
        key = (instance, letter.id, starts, *known.items())
        if key not in self._made:
            self._made[key] = self._asked(letter, starts, general, known)
        sorted_target = Places(tuple(sorted(target.threads, key=lambda thread: self._order[thread[0]])))
        return ThreadAction(instance, letter, starts, sorted_target, *self._made[key])

    def _reads(self, transition: Transition) -> frozenset[Term]:
        if transition not in self._read:
            self._read[transition] = transition.reads
        return self._read[transition]

    def _asked(
        self, letter: Letter, starts: tuple[Instance, ...], general: Transition, known: dict[Term, Term]
    ) -> _Asked:
        """What it reads and writes is asked of the general one: where a thread stands is written by others, too."""
        transition = general.replaced_before(known)
        decided = {v.started for v in self.space.threads.values()} | {v.finished for v in self.space.threads.values()}
        updates = {v: new for v, new in transition.updates.items() if v not in decided and v is not self.space.owner}
        traps = [trap for trap in transition.traps if trap.condition is not self.terms.false]
        violations = tuple(trap for trap in traps if self.violates(trap))
        others = tuple(trap for trap in traps if self.forbids(trap) and not self.violates(trap))
        if any(map(self.is_spare, starts)):
            others = (*others, TransitionTrap(transition.guard, MORE_INSTANCES, len(letter.steps) - 1))
        made = Transition(self.terms, transition.guard, updates, transition.inputs, tuple(traps))
        loops = letter.target in self.automaton.templates[letter.template].loop_heads
        return _Asked(made, violations, others, self._reads(general), general.writes, loops)

    def is_spare(self, instance: Instance) -> bool:
        """Whether it is the one more that must not be started."""
        return instance.number >= self.most[instance.template]

    def violates(self, trap: TransitionTrap) -> bool:
        """The property."""
        return trap.what in self._failures or trap.what in self._forbidden

    def forbids(self, trap: TransitionTrap) -> bool:
        """Whether it forbids `true`. Errors that the property does not ask about end the run, and that is all."""
        return not isinstance(trap.what, ErrorKind) or self.violates(trap)


def _constants(encoder: Encoder) -> ThreadConstants | None:
    """None if there are letters without a formula: whoever comes to one will see."""
    try:
        return ThreadConstants(encoder)
    except CannotEncode:
        return None


class _Asked(NamedTuple):
    transition: Transition
    violations: tuple[TransitionTrap, ...]
    others: tuple[TransitionTrap, ...]
    reads: frozenset[Term]
    writes: frozenset[Term]
    loops: bool
