"""Reduced products made wrong, in ways that matter: what comes out is no proof, whatever a checker says.

An edge is *feasible* if bitwuzla, which the checker does not ask, has a model of the node's label, of what follows from
where the threads stand, and of the letter's guard. Why nothing valid can be left:

- unfinished: a feasible letter has no target any more.
- dropped: a letter is gone that is not futile.
- redirected: a feasible edge leads where threads are elsewhere, or where labels of constants say otherwise.
- weakened: a label forgets the value of a variable that a feasible edge keeps, does not read, and the target's label
  names. So there is a state with another value there from which that edge leads out of the target's label. Only of
  products of constants (`value_products.py`).
- strengthened: no state has the label of a node that a feasible edge leads to.
- put to sleep: a letter sleeps behind one of its own thread, or where nothing comes before, or where it was not
  preferred on the way.
- reordered: a letter that sleeps behind another was not preferred to it.
- woken: a letter that slept is awake, has no target, and is feasible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from value_products import MadeLetter

from threadproof.automaton import End, Instance, Places, for_letters, program_automaton
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct
from threadproof.core.property import Property
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.encoding.transitions.space import ORDINAL_BITS
from threadproof.ir.program import Program
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Sat
from threadproof.smt.term import Op, Term, variables
from threadproof.smt.terms import Terms


class Product:
    """A proof, read."""

    def __init__(self, program: Program, proof: ReducedProduct, prop: Property) -> None:
        self.program, self.proof, self.nodes = program, proof, proof.nodes
        letters = for_letters(program, prop)
        self._automaton = program_automaton(letters)
        space = Space(Terms(), letters, self._automaton, dict(proof.instances))
        self.space, self.terms = space, space.terms
        self._encoder, self._context = Encoder(space), Context(self.terms)
        self._letters = {letter.id: letter for letter in self._automaton.letters}
        self.standing = {space.owner} | {v for t in space.threads.values() for v in (t.started, t.finished)}
        self.known = frozenset(space.known)
        self.places: dict[int, Places] = {0: self._automaton.initial()}
        todo = [0]
        while todo:
            number = todo.pop()
            for one in self.nodes[number].letters:
                for target in one.targets:
                    if target not in self.places:
                        thread, letter = Instance(*one.thread), self._letters[one.letter]
                        self.places[target] = self._automaton.after(self.places[number], thread, letter)
                        todo.append(target)
        for number, node in enumerate(self.nodes):  # before labels are read: variables have the sorts of the state
            for one in node.letters:
                self.transition(number, _made(one))
        self.labels = self.terms.substitute(read(self.terms, proof.labels), space.known)

    def edges(self) -> Iterator[tuple[int, ProductLetter]]:
        for number, node in enumerate(self.nodes):
            for one in node.letters:
                if one.target is not None:
                    yield number, one

    def label(self, number: int) -> Term:
        return self.labels[self.nodes[number].label]

    def transition(self, number: int, made: MadeLetter) -> Transition:
        letter = self._letters[made[1]]
        starts = self._automaton.starts(self.places[number], letter)
        return self._encoder.transition(Instance(*made[0]), letter, starts)

    def is_feasible(self, number: int, made: MadeLetter) -> bool:
        """In doubt it is not."""
        asked = [*self.space.facts(), *self._stand(number), self.label(number), self.transition(number, made).guard]
        return isinstance(self._context.check(asked, 60.0), Sat)

    def _stand(self, number: int) -> Iterator[Term]:
        places = self.places[number]
        at = dict(places.threads)
        for instance, thread in self.space.threads.items():
            yield thread.started if instance in at else self.terms.not_(thread.started)
            if instance in at:
                over = at[instance].at is End.FINISHED
                yield thread.finished if over else self.terms.not_(thread.finished)
        owner = 0 if places.owner is None else self.space.ordinal(places.owner)
        yield self.terms.eq(self.space.owner, self.terms.bv(owner, ORDINAL_BITS))

    def changed(self, number: int, node: ProductNode, label: Term | None = None) -> ReducedProduct:
        nodes = (*self.nodes[:number], node, *self.nodes[number + 1 :])
        labels = self.proof.labels if label is None else script([*self.labels, label])
        return replace(self.proof, nodes=nodes, labels=labels)

    def with_letters(self, number: int, letters: list[ProductLetter]) -> ReducedProduct:
        return self.changed(number, replace(self.nodes[number], letters=tuple(letters)))

    def edge(self, rng: Random) -> tuple[int, ProductLetter] | None:
        """One that is feasible."""
        edges = list(self.edges())
        if not edges:
            return None
        number, one = rng.choice(edges)
        return (number, one) if self.is_feasible(number, _made(one)) else None


Way = Callable[[Product, Random], ReducedProduct | None]
"""None: not possible at what was drawn."""


def unfinished(product: Product, rng: Random) -> ReducedProduct | None:
    drawn = product.edge(rng)
    return None if drawn is None else _retargeted(product, *drawn, None)


def _retargeted(product: Product, number: int, one: ProductLetter, target: int | None) -> ReducedProduct:
    letters = [replace(a, target=target, others=()) if a is one else a for a in product.nodes[number].letters]
    return product.with_letters(number, letters)


def dropped(product: Product, rng: Random) -> ReducedProduct | None:
    number = rng.randrange(len(product.nodes))
    letters = list(product.nodes[number].letters)
    if not letters:
        return None
    letters.pop(rng.randrange(len(letters)))
    return product.with_letters(number, letters)


def redirected(product: Product, rng: Random) -> ReducedProduct | None:
    drawn, target = product.edge(rng), rng.randrange(len(product.nodes))
    if drawn is None or drawn[1].target is None or drawn[1].others:
        return None
    right = drawn[1].target
    elsewhere = dict(product.places[right].threads) != dict(product.places[target].threads)
    if elsewhere or _differ(product.label(right), product.label(target)):
        return _retargeted(product, *drawn, target)
    return None


def _differ(label: Term, other: Term) -> bool:
    """Of constants. What one says of a variable, the other says otherwise."""
    if not _of_constants(label) or not _of_constants(other):
        return False
    said, otherwise = ({v: one for one in conjuncts(formula) for v in variables([one])} for formula in (label, other))
    return any(said[variable] is not one for variable, one in otherwise.items() if variable in said)


def _of_constants(label: Term) -> bool:
    return all(map(_gives_value, conjuncts(label)))


def _gives_value(formula: Term) -> bool:
    """That a variable is not 0 would be less."""
    if formula.op is Op.EQ:
        return {arg.op for arg in formula.args} == {Op.VAR, Op.VALUE}
    return formula.op is Op.VAR or (formula.op is Op.NOT and formula.args[0].op is Op.VAR)


def weakened(product: Product, rng: Random) -> ReducedProduct | None:
    drawn = product.edge(rng)
    if drawn is None or drawn[1].target is None:
        return None
    number, target = drawn[0], drawn[1].target
    if number == target:
        return None
    transition = product.transition(number, _made(drawn[1]))
    kept = set(conjuncts(product.label(number))) & set(conjuncts(product.label(target)))
    others = transition.reads | transition.writes | product.known | product.standing
    free = sorted((one for one in kept if not set(variables([one])) & others), key=lambda one: one.id)
    if not free:
        return None
    lost = rng.choice(free)
    label = product.terms.all(one for one in conjuncts(product.label(number)) if one is not lost)
    return product.changed(number, replace(product.nodes[number], label=len(product.labels)), label)


def strengthened(product: Product, rng: Random) -> ReducedProduct | None:
    drawn = product.edge(rng)
    if drawn is None or drawn[1].target in (None, drawn[0]):
        return None
    target = drawn[1].target
    assert target is not None
    return product.changed(target, replace(product.nodes[target], label=len(product.labels)), product.terms.false)


def put_to_sleep(product: Product, rng: Random) -> ReducedProduct | None:
    number = rng.randrange(len(product.nodes))
    node = product.nodes[number]
    if not node.letters:
        return None
    chosen = rng.choice(node.letters)
    made = _made(chosen)
    into = [(n, one) for n, one in product.edges() if number in one.targets]
    if number and not any(_was_not_preferred(product, n, one, made) for n, one in into):
        return None
    letters = tuple(one for one in node.letters if one is not chosen)
    return product.changed(number, replace(node, letters=letters, asleep=(*node.asleep, made)))


def _was_not_preferred(product: Product, number: int, last: ProductLetter, made: MadeLetter) -> bool:
    node = product.nodes[number]
    before = [_made(one) for one in node.letters[: node.letters.index(last)]]
    return last.thread == made[0] or (made not in before and made not in node.asleep)


def reordered(product: Product, rng: Random) -> ReducedProduct | None:
    number, one = rng.choice(list(product.edges()) or [(0, ProductLetter(("", 0), 0, None))])
    node = product.nodes[number]
    if one.target is None or all(made in node.asleep for made in product.nodes[one.target].asleep):
        return None
    return product.with_letters(number, [one, *(other for other in node.letters if other is not one)])


def woken(product: Product, rng: Random) -> ReducedProduct | None:
    number = rng.randrange(len(product.nodes))
    node = product.nodes[number]
    if not node.asleep:
        return None
    made = rng.choice(node.asleep)
    if product.places[number].owner is not None or not product.is_feasible(number, made):
        return None
    asleep = tuple(one for one in node.asleep if one != made)
    return product.changed(number, replace(node, letters=(*node.letters, ProductLetter(*made, None)), asleep=asleep))


def _made(one: ProductLetter) -> MadeLetter:
    return Instance(*one.thread), one.letter


WAYS: tuple[Way, ...] = (unfinished, dropped, redirected, weakened, strengthened, put_to_sleep, reordered, woken)
GENERAL: tuple[Way, ...] = tuple(way for way in WAYS if way is not weakened)
TRIES = 60


def corrupted(product: Product, way: Way, rng: Random) -> ReducedProduct | None:
    """None if the proof has nothing where this can be done."""
    return next((found for _ in range(TRIES) if (found := way(product, rng)) is not None), None)
