"""Trees by preference orders: one for each thread in which something may go wrong, by the order that has one first.

Which order has simple labels is not known beforehand; so they take turns that grow, and each goes on with its tree.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.core.proofs import Proof, ReducedProduct, ReducedProducts
from threadproof.core.result import Result, Safe, Stats, Unknown
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.impact.ordered import OrderedGoal, OrderedPaths
from threadproof.engines.impact.proof import product_of
from threadproof.engines.impact.search import TreeSearch
from threadproof.engines.impact.strategy import TreeStrategy
from threadproof.independence.orders import PreferenceOrder, orders

FIRST_TURN = 1.0
"""Seconds of the processor for each order at first; twice as many in every round."""
FAVOURED = 4
"""The first order has so many times as much, unless labels of a loop were looked for in vain."""


class SliceIsOver(Exception):
    """Of an order."""


class OrderSlice:
    """Time of the processor: how much others use of it says nothing about an order."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    def check(self) -> None:
        if time.process_time() >= self._end:
            raise SliceIsOver


NO_LIMIT = OrderSlice(math.inf)
Run = Callable[[TreeSearch, Callable[[], Proof], OrderSlice], Result | None]


class ByOrder:
    def __init__(
        self,
        product: ThreadProduct,
        strategy: TreeStrategy,
        dropped: frozenset[str],
        search: Callable[[OrderedPaths], TreeSearch],
        run: Run,
    ) -> None:
        """`run` ends with None if more instances are needed, and raises what the turn raises."""
        self._product = product
        self._orders = dict(orders(product.automaton, product.space.instances))
        if strategy.order:
            self._orders = {strategy.order: self._orders[strategy.order]}
        self._dropped = dropped
        self._search = search
        self._run = run

    def run(self) -> Result | None:
        product = self._product
        letters = AllLetters(product.encoder, product.most)
        parts: list[ReducedProduct] = []
        stats: Stats = {}
        goals = [ThreadGoal(product, letters, thread) for thread in product.space.instances]
        named = list(self._orders.items())
        for goal in [one for one in goals if one.wanted] or goals[:1]:
            result = self._by_turns(OrderedGoal.of(product, letters, goal), named)
            if not isinstance(result, Safe):
                return result
            assert isinstance(result.proof, ReducedProduct)
            parts.append(result.proof)
            stats = {**stats, **{name: number + stats.get(name, 0) for name, number in result.stats.items()}}
            named.sort(key=lambda one: one[0] != parts[-1].order)  # what succeeded is tried first next time
        return Safe(ReducedProducts(tuple(parts)), stats)

    def _by_turns(self, about: OrderedGoal, named: Sequence[tuple[str, PreferenceOrder]]) -> Result | None:
        begun: dict[str, tuple[TreeSearch, OrderedPaths]] = {}
        left, seconds = dict(named), FIRST_TURN
        result: Result | None = None
        while left:
            for name, order in list(left.items()):
                if name not in begun:
                    ordered = OrderedPaths(about, order)
                    begun[name] = self._search(ordered), ordered
                search, ordered = begun[name]
                favoured = name == named[0][0] and not search.counts.loops_in_vain
                turn = OrderSlice(seconds * (FAVOURED if favoured else 1)) if len(left) > 1 else NO_LIMIT
                try:
                    result = self._run(search, partial(self._proof, search, ordered, name), turn)
                except SliceIsOver:
                    continue
                if not isinstance(result, Unknown) or result.reason != search.gave_up:
                    return result
                del left[name]
            seconds *= 2
        return result

    def _proof(self, search: TreeSearch, ordered: OrderedPaths, name: str) -> ReducedProduct:
        return product_of(self._product, search.tree, ordered, name, self._dropped)
