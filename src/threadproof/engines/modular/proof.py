"""The labels as a proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.core.proofs import ThreadModularProof
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.fixpoint import ModularFixpoint, ModularNode
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term


def proof_of(
    any_number: AnyNumber, fixpoint: ModularFixpoint, needed: Mapping[ModularNode, Iterable[Term]] | None
) -> ThreadModularProof:
    """With what is `needed` of the labels, if that is known."""
    labels: dict[Term, int] = {}
    at: list[tuple[str, int, int]] = []
    for location, node in fixpoint.nodes.items():
        label = any_number.terms.all(fixpoint.label(node) if needed is None else needed[node])
        at.append((location.template, location.number, labels.setdefault(label, len(labels))))
    added, threads = fixpoint.sums.for_proof()
    ghosts = any_number.ghosts
    return ThreadModularProof(
        script(list(labels)),
        tuple(at),
        tuple(sorted(any_number.many)),
        counted=_names(ghosts.counted),
        added=added,
        threads=threads,
        locks=_names(ghosts.holders),
        marked=_names(ghosts.marked.marks),
    )


def _names(variables: Iterable[Term]) -> tuple[str, ...]:
    return tuple(one.name for one in variables)
