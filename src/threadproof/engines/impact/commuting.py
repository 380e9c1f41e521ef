"""When a letter may as well come before the one behind which it stands: always, or where their addresses differ.

Paper: section IV-D, conditional dependence. Differs: that both orders do the same is asked of a solver where reads and
writes do not settle it, once for each pair of letters, with the condition of `independence/addresses` if there is one.
"""

from __future__ import annotations

from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.independence import InstanceLetter
from threadproof.independence.addresses import AddressLayer
from threadproof.independence.inclusions import Inclusions, split
from threadproof.independence.pairs import SwapViolations
from threadproof.smt.context import Context
from threadproof.smt.term import Term, variables

Conditions = tuple[Term, ...]


class Commuting:
    def __init__(self, product: ThreadProduct, context: Context) -> None:
        self._inclusions = Inclusions(SwapViolations(product.encoder), context)
        self._addresses = AddressLayer(product.encoder, self._inclusions)
        self._known: dict[tuple[InstanceLetter, InstanceLetter], Conditions | None] = {}

    def condition(self, a: ThreadAction, b: ThreadAction) -> Conditions | None:
        """Conjuncts over the state before both, under which `b;a` can do what `a;b` can. None: none is known."""
        if a.starts and b.starts:  # the order decides which thread is which instance
            return None
        if a.writes.isdisjoint(b.reads | b.writes) and b.writes.isdisjoint(a.reads):
            return ()
        pair = (_letter(a), _letter(b))
        if pair not in self._known:
            self._known[pair] = self._asked(a, b, *pair)
        return self._known[pair]

    def _asked(
        self, a: ThreadAction, b: ThreadAction, first: InstanceLetter, second: InstanceLetter
    ) -> Conditions | None:
        if not a.writes.isdisjoint(variables(trap.condition for trap in b.transition.traps)):
            return None  # what goes wrong behind `a` might not, before it
        if self._inclusions.holds(first, second, frozenset()):
            return ()
        apart = self._addresses.condition(first, second)
        if apart is None or not self._inclusions.holds(first, second, split([apart])):
            return None
        inputs = {one.term for action in (a, b) for one in action.transition.inputs}
        return tuple(split([apart])) if inputs.isdisjoint(variables([apart])) else None


def _letter(action: ThreadAction) -> InstanceLetter:
    return InstanceLetter(action.instance, action.letter, action.starts)
