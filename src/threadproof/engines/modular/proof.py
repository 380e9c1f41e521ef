"""The labels as a proof."""

from __future__ import annotations

from threadproof.core.proofs import ThreadModularProof
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.fixpoint import ModularFixpoint
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term


def proof_of(any_number: AnyNumber, fixpoint: ModularFixpoint) -> ThreadModularProof:
    labels: dict[Term, int] = {}
    at: list[tuple[str, int, int]] = []
    for location, node in fixpoint.nodes.items():
        label = any_number.terms.all(fixpoint.label(node))
        at.append((location.template, location.number, labels.setdefault(label, len(labels))))
    added, threads = fixpoint.sums.for_proof()
    counted = tuple(cell.name for cell in any_number.ghosts.cells)
    many = tuple(sorted(any_number.many))
    locks = tuple(cell.name for cell in any_number.ghosts.holders)
    return ThreadModularProof(
        script(list(labels)), tuple(at), many, counted=counted, added=added, threads=threads, locks=locks
    )
