"""What the checks of a program ask for, as formulas over its variables: predicates to begin with.

A check is where a letter goes wrong under a condition: each of its conjuncts, turned round, is what somebody thought
holds there. Of a program with the invariants of a witness as checks, these are the invariants. Nothing is believed.

Paper: Theta's initial precision (T. Tóth et al., FMCAD 2017), which may begin with all assumptions. Differs: with the
conditions of errors alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Op, Term, variables

_CONSTANT = (Op.TRUE, Op.FALSE)
MOST_CHECKS = 40
"""Each is asked about at every step: of a program with more of them, most say nothing elsewhere."""


def asked_by_checks(product: ThreadProduct) -> list[Term]:
    """Raises CannotEncode. None of them speaks of inputs, or of where threads stand."""
    found: dict[Term, None] = {}
    for several in AllLetters(product.encoder).transitions.values():
        for transition in several:
            found.update(dict.fromkeys(_asked(product, transition)))
    return list(found)[:MOST_CHECKS]


def _asked(product: ThreadProduct, transition: Transition) -> Iterator[Term]:
    """Of each check the parts by themselves, and together: `A || B` fails where both do."""
    terms, threads = product.terms, product.space.threads.values()
    outside = {one.term for one in transition.inputs} | {product.space.owner}
    outside |= {one.started for one in threads} | {one.finished for one in threads}
    for trap in transition.traps:
        if product.violates(trap):
            parts = [one for one in conjuncts(trap.condition) if outside.isdisjoint(variables([one]))]
            turned = [terms.not_(one) for one in parts]
            yield from (
                one for each in (*turned, terms.any(turned)) for one in conjuncts(each) if one.op not in _CONSTANT
            )
