"""Which configurations have their turn, and for how long: by what is met in the program.

Without loops every domain comes to an end, and values of variables do so with the least questions; where no numbers
come from outside, they mostly do so with loops, too: they have nearly all of the time. So they have where unknown
numbers are multiplied or divided: predicates about products take solvers long. Loops of several threads are tried in
lockstep, too, where a relation that holds in every round is often enough. What unrolls a loop round by round, or needs
more and more predicates, gives way to the next one.

Paper: the portfolio of Theta (the seed's tool) for programs with threads. Differs: it is chosen by loops, products and
rounds, after single runs of some forty tasks; shares of the time were not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from threadproof.engines.cegar.configuration import (
    COUNTING,
    DIVERGING,
    MANY_PREDICATES,
    AbstractDomain,
    Configuration,
    PrecisionScope,
    RefinementStrategy,
    SearchOrder,
    ThreadOrder,
)
from threadproof.engines.cegar.setting import CegarSetting

ENDS = 0.85
"""Of the time that is left: for a configuration that comes to an end if it has time."""
SHARE = 0.5
FIRST = 0.3
"""For a first look, where loops may need something else."""


class CegarTurn(NamedTuple):
    how: Configuration
    share: float  # of the time that is left


def turns(asked: Configuration, setting: CegarSetting) -> Sequence[CegarTurn]:
    together = replace(asked, domain=AbstractDomain.PRED_BOOL, scope=PrecisionScope.LOCAL)
    asked = replace(asked, most_predicates=MANY_PREDICATES)
    predicates = replace(asked, domain=AbstractDomain.PRED_CART)
    if not setting.has_loops or not setting.asks_for_numbers or setting.has_products:
        return CegarTurn(asked, ENDS), CegarTurn(predicates, SHARE), CegarTurn(together, 1.0)
    postconditions = replace(asked, source=RefinementStrategy.SP, search=SearchOrder.DFS)
    if not setting.threads_have_loops:
        return (
            CegarTurn(asked, SHARE),
            CegarTurn(predicates, SHARE),
            CegarTurn(postconditions, SHARE),
            CegarTurn(together, 1.0),
        )
    bounded = replace(asked, most_rounds=DIVERGING, most_values=COUNTING)
    return (
        CegarTurn(bounded, FIRST),
        CegarTurn(replace(bounded, order=ThreadOrder.LOCKSTEP), SHARE),
        CegarTurn(asked, SHARE),
        CegarTurn(replace(bounded, order=ThreadOrder.LOCKSTEP, source=RefinementStrategy.SP), SHARE),
        CegarTurn(predicates, SHARE),
        CegarTurn(together, 1.0),
    )
