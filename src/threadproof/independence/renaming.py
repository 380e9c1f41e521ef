"""One question for all instances of two letters: variables of instances exchanged, so that the answer is known already.

A formula can be satisfied exactly if it can with its variables renamed. So if the transitions of two letters of
`worker#1` and `worker#2` are, up to names, those of `worker` and `worker#1`, what is known of these is known of those.
Where handles are numbers that the letters look at, transitions differ in more than names, and nothing is shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from threadproof.automaton import Instance
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Transition
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Term

Renaming = Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class RenamedPair:
    first: InstanceLetter
    second: InstanceLetter
    renaming: Renaming  # variables of the original as variables of this; empty: it is the original


class Renamings:
    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._space = encoder.space
        self._terms = encoder.space.terms
        self._exchanges: dict[tuple[Instance, Instance], Renaming] = {}
        self._pairs: dict[tuple[InstanceLetter, InstanceLetter], RenamedPair] = {}

    def of(self, a: InstanceLetter, b: InstanceLetter) -> RenamedPair:
        """The same two letters of the first instances of their templates, if that makes no difference; else these."""
        found = self._pairs.get((a, b))
        if found is None:
            found = self._pairs[a, b] = self._found(a, b) or RenamedPair(a, b, {})
        return found

    def formulas(self, formulas: Iterable[Term], renaming: Renaming) -> list[Term]:
        return self._terms.substitute(formulas, renaming)

    def _found(self, a: InstanceLetter, b: InstanceLetter) -> RenamedPair | None:
        if a.letter.forks or b.letter.forks:
            return None  # which instance they start, and whether it is its turn, is no matter of names
        first, second = Instance(a.instance.template, 0), Instance(b.instance.template, 0)
        if first.template == second.template:
            second = Instance(second.template, 1)
        if (first, second) == (a.instance, b.instance):
            return None
        renaming = self._composed(a.instance, first, b.instance, second)
        one, two = InstanceLetter(first, a.letter), InstanceLetter(second, b.letter)
        same = self._same(a, one, renaming) and self._same(b, two, renaming)
        return RenamedPair(one, two, renaming) if same else None

    def _composed(self, a: Instance, first: Instance, b: Instance, second: Instance) -> Renaming:
        """`a` becomes `first`, and then whatever `b` has become becomes `second`."""
        now = self._exchange(a, first)
        b = a if b == first else b
        then = self._exchange(b, second)
        both = {variable: then.get(name, name) for variable, name in now.items()}
        both.update((variable, name) for variable, name in then.items() if variable not in now)
        return {variable: name for variable, name in both.items() if variable is not name}

    def _exchange(self, one: Instance, other: Instance) -> Renaming:
        if one == other:
            return {}
        found = self._exchanges.get((one, other))
        if found is None:
            found = self._exchanges[one, other] = self._space.exchange(one, other)
        return found

    def _same(self, one: InstanceLetter, other: InstanceLetter, renaming: Renaming) -> bool:
        """Whether the transitions are the same up to names."""
        try:
            mine = self._encoder.transition(one.instance, one.letter)
            wanted = self._encoder.transition(other.instance, other.letter)
        except CannotEncode:
            return False
        if len(mine.inputs) != len(wanted.inputs):
            return False
        inputs = {x.term: y.term for x, y in zip(mine.inputs, wanted.inputs, strict=True)}
        return _equal(mine.replaced({**renaming, **inputs}), wanted)


def _equal(one: Transition, other: Transition) -> bool:
    conditions = [[trap.condition for trap in transition.traps] for transition in (one, other)]
    return one.guard is other.guard and dict(one.updates) == dict(other.updates) and conditions[0] == conditions[1]
