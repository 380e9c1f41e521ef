"""The independence relation: asks its layers one after the other, and keeps what they say."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from threadproof.encoding.transitions import Encoder
from threadproof.independence.addresses import AddressLayer
from threadproof.independence.answers import Always, Inclusion, LayerName, Never, SwapAnswer
from threadproof.independence.formulas import AssertionLayer, PartitionLayer, SemiLayer, SolverLayer
from threadproof.independence.inclusions import Inclusions, split
from threadproof.independence.layers import Layer, PointsToLayer, SharedRegions, SyntacticLayer, ThreadsLayer
from threadproof.independence.locks import HeldLocks, LocksLayer
from threadproof.independence.pairs import InstanceLetter, Keeps, Pair, SwapGoal, SwapViolations
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term

_CONDITIONAL = (LayerName.SMT_GIVEN, LayerName.SEMI, LayerName.ADDRESSES)
"""Layers that look at what is given."""

OF_REACHABLE = (LayerName.SYNTACTIC, LayerName.POINTS_TO, LayerName.LOCKS)
"""Layers whose answers hold in states that can be reached. Formulas may not show it, unless a label says more: that the
lock is taken, or that a thread which signals does not wait."""


class Independence(Protocol):
    def swap(self, a: InstanceLetter, b: InstanceLetter, given: Iterable[Term] = ()) -> SwapAnswer:
        """What is known of `a;b` and `b;a` where the conjuncts `given` hold."""
        ...


@dataclass(slots=True)
class LayerCost:
    decided: int = 0
    seconds: float = 0.0  # of the processor, also where it could not decide


class Swaps:
    """The layers of `docs/algorithms/independence.md`, cheapest first."""

    def __init__(
        self,
        encoder: Encoder,
        context: Context | None = None,
        keeps: Keeps = Keeps.ERRORS,
        seconds: float | None = 1.0,
        goal: SwapGoal | None = None,
        without: Container[LayerName] = (),
    ) -> None:
        """`seconds` is for each question to a solver. Without a goal, all traps of both letters count. `without` are
        layers that are not asked."""
        context = Context(encoder.space.terms) if context is None else context
        violations = SwapViolations(encoder, keeps, goal)
        self.inclusions = Inclusions(violations, context, seconds)
        space = encoder.space
        regions = SharedRegions(space.program)
        every: Sequence[tuple[LayerName, Layer]] = (
            (LayerName.THREADS, ThreadsLayer()),
            (LayerName.SYNTACTIC, SyntacticLayer(regions)),
            (LayerName.POINTS_TO, PointsToLayer(regions)),
            (LayerName.LOCKS, LocksLayer(HeldLocks(space.program, space.automaton, space.points_to))),
            (LayerName.PARTITION, PartitionLayer(violations)),
            (LayerName.SMT, SolverLayer(self.inclusions)),
            (LayerName.SMT_GIVEN, AssertionLayer(self.inclusions)),
            (LayerName.SEMI, SemiLayer(self.inclusions, keeps)),
            (LayerName.ADDRESSES, AddressLayer(encoder, self.inclusions)),
        )
        self.layers = tuple(one for one in every if one[0] not in without)
        self.costs: dict[LayerName, LayerCost] = {name: LayerCost() for name, _ in self.layers}
        self._settled: dict[Pair, SwapAnswer] = {}
        self._open: set[Pair] = set()  # what can be said of them depends on what is given

    def swap(self, a: InstanceLetter, b: InstanceLetter, given: Iterable[Term] = ()) -> SwapAnswer:
        settled = self._settled.get((a, b))
        if settled is not None:
            return settled
        conjuncts = split(given)
        if any(part.op is Op.FALSE for part in conjuncts):
            return Never(LayerName.THREADS) if a.instance == b.instance else Always(LayerName.SMT_GIVEN)
        for name, layer in self.layers:
            if name not in _CONDITIONAL and (a, b) in self._open:
                continue
            answer = self._timed(name, layer, a, b, conjuncts)
            if answer is not None:
                if _settles(answer):
                    self._settled[a, b] = answer
                else:
                    self._open.add((a, b))
                return answer
        self._open.add((a, b))
        return Never()

    def may_drop(self, a: InstanceLetter, b: InstanceLetter, given: Iterable[Term] = ()) -> bool:
        """Whether words with `a;b` here may be left out for those with `b;a`: what sleep sets ask."""
        return isinstance(self.swap(a, b, given), Always | Inclusion)

    def _timed(
        self, name: LayerName, layer: Layer, a: InstanceLetter, b: InstanceLetter, given: frozenset[Term]
    ) -> SwapAnswer | None:
        started = time.process_time()
        answer = layer.decide(a, b, given)
        cost = self.costs[name]
        cost.seconds += time.process_time() - started
        cost.decided += answer is not None
        return answer


def _settles(answer: SwapAnswer) -> bool:
    """Whether the answer is the same under every assertion."""
    return answer.by is not None and answer.by not in _CONDITIONAL
