"""What of labels of one thread and of two is needed for the proof: as in `needed.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term, variables
from threadproof.thread_modular.fixpoint import ModularFixpoint
from threadproof.thread_modular.needed import KeptClaims, NotDecided
from threadproof.thread_modular.pair_fixpoint import excluded
from threadproof.thread_modular.pair_graph import PairCase, PairEdge, PairGraph, PairNode


class NeededOfPairs:
    def __init__(
        self, any_number: AnyNumber, fixpoint: ModularFixpoint, graph: PairGraph, stop: Callable[[], str | None]
    ) -> None:
        """Under the labels of the graph nothing goes wrong."""
        self._any = any_number
        self._terms = any_number.terms
        self._fixpoint = fixpoint
        self._graph = graph
        labels = {node: node.said for node in graph.nodes}
        facts = [*any_number.facts(), *fixpoint.sums.facts()]
        self._claims = KeptClaims(Context(any_number.terms), facts, labels, stop)

    def labels(self) -> Mapping[PairNode, Iterable[Term]]:
        """All that is known, if it was not decided, or there was no time."""
        try:
            self._exclude_errors()
            while sum(map(self._lead, self._graph.edges)):
                pass
        except NotDecided:
            return self._claims.labels
        return {node: kept for node, kept in self._claims.kept.items() if kept}

    def _exclude_errors(self) -> None:
        for node in self._graph.singles.values():
            if node.value.is_bottom:
                self._claims.keep(node, self._terms.false)
        for own in self._fixpoint.letters:
            cases = self._graph.cases(own.letter)
            for condition in excluded(self._any, own):
                if self._can_hold(cases, condition):
                    raise NotDecided
            sums = self._fixpoint.sums
            if sums.concerns(own):
                sums.widen(own, partial(self._fixpoint.few_values, own.letter), partial(self._can_hold, cases))

    def _can_hold(self, cases: Iterable[PairCase], condition: Term) -> bool:
        """In one of these."""
        return not all(self._claims.contradict(self._said(case), [*case.given, condition]) for case in cases)

    def _said(self, before: PairCase | PairEdge) -> list[tuple[PairNode, Term, Term]]:
        """All that is said there, and what it means of the threads."""
        return [
            (premise.node, one, of)
            for premise in before.premises
            for said in [list(self._claims.labels[premise.node])]
            for one, of in zip(said, self._graph.renamed(said, premise), strict=True)
        ]

    def _lead(self, edge: PairEdge) -> bool:
        """Keeps what the edge needs to lead to what is kept at its target; whether there was anything to look at."""
        new = [one for one in self._claims.kept[edge.target] if one not in edge.led]
        edge.led.update(new)
        asked = [one for one in new if not self._stands(edge, one)]
        if asked:
            after = self._terms.all(edge.step.after(asked))
            if not self._claims.contradict(self._said(edge), [*edge.given, self._terms.not_(after)]):
                raise NotDecided
        return bool(new)

    def _stands(self, edge: PairEdge, claim: Term) -> bool:
        """Whether it is said before, of the same threads, and the step leaves it as it is."""
        same = edge.same
        if same is None or claim.op is Op.FALSE or not edge.step.updates.keys().isdisjoint(variables([claim])):
            return False
        if claim not in self._claims.labels[same]:
            return False
        self._claims.keep(same, claim)
        return True
