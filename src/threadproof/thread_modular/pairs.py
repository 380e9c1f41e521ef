"""Labels of one thread and of two, where those of single threads do not exclude an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.thread_modular.fixpoint import ModularAlarm, ModularFixpoint
from threadproof.thread_modular.pair_fixpoint import PairFixpoint
from threadproof.thread_modular.pair_graph import PairGraph, TooManySteps
from threadproof.thread_modular.pair_literals import OfPairs
from threadproof.thread_modular.pair_needed import NeededOfPairs
from threadproof.thread_modular.proof import proof_of
from threadproof.thread_modular.tries import fixpoints


class PairSearch:
    """`any_number` has two observers."""

    def __init__(self, any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool], prop: Property) -> None:
        self._any = any_number
        self._forbids = forbids
        self._property = prop
        self.pairs = 0
        self.questions = 0

    def proof(self, stop: Callable[[], str | None]) -> ThreadModularProof | None:
        """None: there are no such labels, or there was no time to find them."""
        fixpoint = self._last(fixpoints(self._any, self._forbids, self._property))
        ended = fixpoint.run(stop)
        if isinstance(ended, ModularAlarm):
            ended = fixpoint.go_on(stop)
        if ended is not None:
            return None
        found = (self._of_pairs(fixpoint, said, stop) for said in OfPairs)
        return next((proof for proof in found if proof is not None), None)

    def _of_pairs(
        self, fixpoint: ModularFixpoint, said: OfPairs, stop: Callable[[], str | None]
    ) -> ThreadModularProof | None:
        try:
            graph = PairGraph(self._any, fixpoint, said, stop)
        except (TooManySteps, CannotEncode):
            return None
        labels = PairFixpoint(self._any, fixpoint, graph)
        ended = labels.run(stop)
        self.pairs = len(graph.pairs)
        self.questions += labels.questions
        if ended is not None:
            return None
        needed = NeededOfPairs(self._any, fixpoint, graph, stop).labels()
        of_one = {place: needed.get(node, ()) for place, node in graph.singles.items()}
        of_two = {places: needed[node] for places, node in graph.pairs.items() if node in needed}
        return proof_of(self._any, fixpoint, of_one, of_two, graph.watched)

    @staticmethod
    def _last(found: Iterator[ModularFixpoint]) -> ModularFixpoint:
        """What labels may speak of is most there."""
        *_, last = found
        return last
