"""What all configurations share: the program's letters, their formulas, and what was found out about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadproof.abstraction.liveness import Liveness
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.triples import Triples
from threadproof.automaton import FillingLoops, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.engines.task import Task
from threadproof.smt.context import Context


@dataclass(frozen=True, slots=True)
class Substrate:
    """For so many threads."""

    product: ThreadProduct
    context: Context
    triples: Triples
    liveness: Liveness


class CegarSetting:
    """Raises CannotUnfold, OutOfAddresses."""

    def __init__(self, task: Task, loops: FillingLoops) -> None:
        self.property = task.property
        self.program = for_letters(task.program, task.property, loops)
        self._automaton = program_automaton(self.program)
        self.bounds = instance_bounds(self._automaton)
        self._made: dict[tuple[tuple[str, int], ...], Substrate] = {}

    def substrate(self, most: Mapping[str, int]) -> Substrate:
        key = tuple(sorted(most.items()))
        if key not in self._made:
            product = ThreadProduct(self.program, self._automaton, self.property, most)
            context = Context(product.terms)
            triples = Triples(Predicates(context), product.space.facts())
            self._made[key] = Substrate(product, context, triples, Liveness(product.space))
        return self._made[key]
