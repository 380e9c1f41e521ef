"""Labels from the sources of `abstraction`, where weakest preconditions along the tree find none.

Those do not get past a letter whose input decides what has to hold (`strengthen.py`). The sources see the whole path:
strongest postconditions of its core, projected to what is still asked for, then the others. Every step of what they
say is proved.
"""

from __future__ import annotations

from threadproof.abstraction.path import LetterPath, PathGoal, PathStep
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.sequence import Assertions
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.abstraction.trace_check import Infeasible, TraceCheck
from threadproof.abstraction.triples import Triples
from threadproof.engines.impact.entailment import Entailment
from threadproof.engines.impact.strengthen import Additions
from threadproof.engines.impact.tree import AbstractNode

ORDER = (SourceName.SP, SourceName.WP, SourceName.INTEGERS)


class PathLabels:
    def __init__(self, product: ThreadProduct, entailment: Entailment) -> None:
        context = entailment.context
        self._product = product
        self._entailment = entailment
        self._check = TraceCheck(product.space, context)
        self._predicates = Predicates(context)
        self._refiner = Refiner(product.space, Triples(self._predicates, product.space.facts()), ORDER)

    def excluding(self, node: AbstractNode, action: ThreadAction, goal: PathGoal) -> Additions | None:
        """What labels must say besides, so that the action cannot be made behind the node, or does not go wrong
        there."""
        actions = [*(one.action for one in node.path if one.action is not None), action]
        path = LetterPath(tuple(map(self._step, actions)), goal)
        found = self._check.check(path)
        if not isinstance(found, Infeasible):
            return None
        proved = self._refiner.assertions(path, found.core)
        if not isinstance(proved, Assertions):
            return None
        additions: Additions = {}
        for one, bits in zip(reversed(node.path), reversed(proved.between[:-1]), strict=True):
            here = self._product.terms.substitute(self._predicates.terms_of(bits), self._product.known(one.places))
            new = [formula for formula in here if not self._entailment.implies(one.label, formula)]
            if new:
                additions[one] = new
        return additions

    def _step(self, action: ThreadAction) -> PathStep:
        transition = self._product.encoder.transition(action.instance, action.letter, action.starts)
        return PathStep(action.instance, action.letter, action.starts, transition)
