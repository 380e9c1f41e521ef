"""The closed graph as a proof: a reduced product about all threads."""

from __future__ import annotations

from threadproof.abstraction.product_proof import KeptNode, product_proof, reached
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.core.proofs import ReducedProduct
from threadproof.engines.cegar.configuration import Configuration
from threadproof.engines.cegar.graph import ArgNode
from threadproof.engines.cegar.states import Transformer
from threadproof.smt.term import Term


def proof_of(
    product: ThreadProduct, transformer: Transformer, root: ArgNode, how: Configuration, kept: frozenset[Term] | None
) -> ReducedProduct:
    """`kept`: the variables that the reduction knows of; None: all."""
    nodes = reached(root, lambda node: [] if node.dead else (to for several in node.edges.values() for to in several))
    numbers = {node: number for number, node in enumerate(nodes)}
    made = [_kept(product, transformer, node, numbers) for node in nodes]
    return product_proof(product, made, None, f"closed graph ({how})", product.most, variables=kept)


def _kept(product: ThreadProduct, transformer: Transformer, node: ArgNode, numbers: dict[ArgNode, int]) -> KeptNode:
    if node.dead:
        known = product.known(node.places)
        label = product.terms.all(product.terms.eq(variable, value) for variable, value in known.items())
        return KeptNode(label, [], node.asleep, node.dead)
    targets = ((one.letter, node.edges[one]) for one in node.letters)
    letters = [(letter, [numbers[to] for to in dict.fromkeys(several)]) for letter, several in targets]
    return KeptNode(transformer.label(node.places, node.state), letters, node.asleep)
