"""Reduced products of programs over small domains: labels are the constants that variables have, one after the other.

The sleep sets follow what `ProductBuilder` is told: right ones, or any. What comes out need not be a proof; it only
never has an awake letter that goes wrong. So a product with wrong sleep sets is one that a careless engine could
make, of a program that has an error, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random

from threadproof.automaton import Instance, Letter, Places, for_letters, program_automaton
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct, ReducedProducts
from threadproof.core.property import Property
from threadproof.encoding.transitions import Encoder, Space, Transition, TransitionTrap
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.encoding.transitions.futile import futile_letters
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.evidence.proofs.skips import apart, cannot_swap
from threadproof.ir.program import Program
from threadproof.smt.context import Context
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Unsat
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

CONSTANTS = (Op.VALUE, Op.TRUE, Op.FALSE)
Values = dict[Term, Term]
MadeLetter = tuple[Instance, int]
Memory = Hashable
"""Of a preference order."""
NodeKey = tuple[frozenset[object], frozenset[MadeLetter], frozenset[tuple[Term, Term]], Memory]


class CannotBuild(Exception):
    """An awake letter goes wrong, or there are too many nodes."""


class ProductBuilder:
    """`order` sorts the letters of a node; `sleeps` chooses, of the candidates, which do sleep behind a letter. Errors
    are those of the thread `goal`, or of all."""

    def __init__(
        self,
        program: Program,
        order: Callable[[Places, Sequence[MadeLetter]], list[MadeLetter]],
        sleeps: Callable[[ProductBuilder, Values, Transition, Transition], bool],
        most_threads: int = 2,
        most_nodes: int = 400,
        prop: Property = Property.UNREACH_CALL,
        goal: Instance | None = None,
    ) -> None:
        self.program, self.prop, self.goal = program, prop, goal
        program = for_letters(program, prop)
        self.automaton = program_automaton(program)
        self.instances = {name: most_threads for name in self.automaton.templates if name != self.automaton.main}
        self.space = Space(Terms(), program, self.automaton, self.instances)
        self.terms = self.space.terms
        self.encoder = Encoder(self.space)
        self.context = Context(self.terms)
        self._order, self._sleeps, self._most = order, sleeps, most_nodes
        self.letters = {letter.id: letter for letter in self.automaton.letters}
        self._all = AllLetters(self.encoder)
        self.futile = futile_letters(self._all, lambda key: goal in (None, key[0]) and self.may_go_wrong(key))
        self._numbers: dict[NodeKey, int] = {}
        self._todo: list[tuple[Places, frozenset[MadeLetter], Values, Memory]] = []
        self.start: Memory = None

    def forbids(self, letter: Letter, trap: TransitionTrap) -> bool:
        return role(self.prop, trap.what) is not TrapRole.ENDS

    def may_go_wrong(self, key: LetterKey) -> bool:
        """If its thread is the goal."""
        traps = (trap for one in self._all.transitions[key] for trap in one.traps)
        return any(self.forbids(self.letters[key[1]], trap) for trap in traps)

    def build(self) -> ReducedProduct:
        labels: dict[Term, int] = {}
        nodes: list[ProductNode] = []
        self._number(self.automaton.initial(), frozenset(), self.space.initial(), self.start)
        for places, asleep, values, memory in self._todo:  # grows
            if len(nodes) > self._most:
                raise CannotBuild("too many nodes")
            label = self.terms.all(self.terms.eq(variable, value) for variable, value in values.items())
            number = labels.setdefault(label, len(labels))
            awake = self._awake(places, asleep, memory)
            membrane = self.membrane(places, asleep, awake)
            letters = self._expanded(places, asleep, values, memory, awake, membrane)
            nodes.append(ProductNode(number, letters, tuple(sorted(asleep)), membrane))
        return ReducedProduct(script(list(labels)), tuple(nodes), tuple(self.instances.items()), goal=self.goal)

    def _number(self, places: Places, asleep: frozenset[MadeLetter], values: Values, memory: Memory) -> int:
        known = {variable: value for variable, value in values.items() if value.op in CONSTANTS}
        key = (frozenset(places.threads), asleep, frozenset(known.items()), memory)
        if key not in self._numbers:
            self._numbers[key] = len(self._todo)
            self._todo.append((places, asleep, known, memory))
        return self._numbers[key]

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        """Threads, if letters of others are not made there."""
        return ()

    def sorted(self, places: Places, memory: Memory, letters: Sequence[MadeLetter]) -> list[MadeLetter]:
        """The preferred one first."""
        return self._order(places, letters)

    def remembered(self, places: Places, memory: Memory, made: MadeLetter) -> Memory:
        """After a letter."""
        return memory

    def _awake(self, places: Places, asleep: frozenset[MadeLetter], memory: Memory) -> list[MadeLetter]:
        there = [
            (instance, letter.id)
            for instance, letter in self.automaton.letters_from(places)
            if places.owner in (None, instance) and (instance, letter.id) not in self.futile
        ]
        return [made for made in self.sorted(places, memory, there) if made not in asleep]

    def _expanded(
        self,
        places: Places,
        asleep: frozenset[MadeLetter],
        values: Values,
        memory: Memory,
        awake: Sequence[MadeLetter],
        membrane: Sequence[Instance],
    ) -> tuple[ProductLetter, ...]:
        found: list[ProductLetter] = []
        inside = [made for made in awake if not membrane or made[0] in membrane]
        for made in inside:
            preferred = self.preferred(made, awake, inside)
            others = [one for one in inside if one not in preferred]
            candidates = self.candidates(places, made, (*sorted(asleep), *preferred), others)
            found.append(ProductLetter(*made, self._target(places, values, memory, made, candidates)))
        return tuple(found)

    def preferred(
        self, made: MadeLetter, awake: Sequence[MadeLetter], inside: Sequence[MadeLetter]
    ) -> Sequence[MadeLetter]:
        """Letters that are made before, of those that are made."""
        return inside[: inside.index(made)]

    def candidates(
        self, places: Places, made: MadeLetter, before: Sequence[MadeLetter], others: Sequence[MadeLetter]
    ) -> list[MadeLetter]:
        """What may sleep behind a letter by the rules. `before`: what sleeps already, or is preferred to it."""
        forks = bool(self.letters[made[1]].forks)
        return [one for one in before if one[0] != made[0] and not (forks and self.letters[one[1]].forks)]

    def _target(
        self, places: Places, values: Values, memory: Memory, made: MadeLetter, candidates: Sequence[MadeLetter]
    ) -> int | None:
        letter, general = self.letters[made[1]], self._transition(places, made)
        transition = general.replaced_before(values)
        wrong = (trap.condition.op is not Op.FALSE and self.forbids(letter, trap) for trap in transition.traps)
        if self.goal in (None, made[0]) and any(wrong):
            raise CannotBuild(f"{made} goes wrong")
        if transition.guard.op is Op.FALSE:
            return None
        asleep = [one for one in candidates if self.sleeps(places, values, made, one)]
        after = self.automaton.after(places, made[0], letter)
        later = self.remembered(places, memory, made)
        return self._number(after, frozenset(asleep), values | dict(transition.updates), later)

    def sleeps(self, places: Places, values: Values, made: MadeLetter, other: MadeLetter) -> bool:
        """Whether a candidate does sleep behind a letter."""
        return self._sleeps(self, values, self._transition(places, made), self._transition(places, other))

    def _transition(self, places: Places, made: MadeLetter) -> Transition:
        starts = self.automaton.starts(places, self.letters[made[1]])
        if any(one not in self.space.threads for one in starts):
            raise CannotBuild("too many threads")
        return self.encoder.transition(made[0], self.letters[made[1]], starts)

    def swaps(self, values: Values, a: Transition, b: Transition, *, blind: bool = False) -> bool:
        """Whether `a;b` can be left out for `b;a`; if blind, whatever goes wrong."""
        if apart(a, b):
            return True
        ends = [TrapRole.ENDS] if not blind else list(TrapRole)
        traps = [[trap for trap in one.traps if role(self.prop, trap.what) not in ends] for one in (b, a)]
        [question] = self.terms.substitute([cannot_swap(a, b, *traps)], values)
        return isinstance(self.context.check([question], 60.0), Unsat)


def by_goals(program: Program, make: Callable[[Instance | None], ProductBuilder]) -> ReducedProducts:
    """A product for every thread in which something may go wrong."""
    every = make(None)
    keys = [(one, letter.id) for one in every.space.instances for letter in _letters(every, one)]
    goals = list(dict.fromkeys(key[0] for key in keys if every.may_go_wrong(key)))
    return ReducedProducts(tuple(make(goal).build() for goal in goals))


def _letters(builder: ProductBuilder, instance: Instance) -> Sequence[Letter]:
    return builder.automaton.templates[instance.template].letters


# --- orders and sleep sets --------------------------------------------------------------------------------------------


def shuffled(seed: int) -> Callable[[Places, Sequence[MadeLetter]], list[MadeLetter]]:
    """Another order wherever the threads stand elsewhere."""

    def order(places: Places, letters: Sequence[MadeLetter]) -> list[MadeLetter]:
        where = sorted((one, location.number) for one, location in places.threads)
        found = sorted(letters)
        Random(f"{seed} {where}").shuffle(found)
        return found

    return order


def by_thread(*templates: str) -> Callable[[Places, Sequence[MadeLetter]], list[MadeLetter]]:
    return lambda places, letters: sorted(letters, key=lambda made: (templates.index(made[0].template), made))


def never(builder: ProductBuilder, values: Values, a: Transition, b: Transition) -> bool:
    return False


def rightly(builder: ProductBuilder, values: Values, a: Transition, b: Transition) -> bool:
    return builder.swaps(values, a, b)


def reversed_swaps(builder: ProductBuilder, values: Values, a: Transition, b: Transition) -> bool:
    """The other inclusion."""
    return builder.swaps(values, b, a)


def blindly(builder: ProductBuilder, values: Values, a: Transition, b: Transition) -> bool:
    return builder.swaps(values, a, b, blind=True)


def carelessly(seed: int, often: float) -> Callable[[ProductBuilder, Values, Transition, Transition], bool]:
    """Some of what may not."""
    rng = Random(seed)
    return lambda builder, values, a, b: rng.random() < often or builder.swaps(values, a, b)
