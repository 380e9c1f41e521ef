"""The labels as a proof."""

from __future__ import annotations

from collections.abc import Iterable

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
