"""The labels as a proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.automaton import Location
from threadproof.core.proofs import ThreadModularProof
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term
from threadproof.thread_modular.fixpoint import ModularFixpoint, ModularNode


def proof_of(
    any_number: AnyNumber,
    fixpoint: ModularFixpoint,
    needed: Mapping[ModularNode, Iterable[Term]] | None,
    more: Mapping[Location, Term] | None = None,
) -> ThreadModularProof:
    """Of the labels of a fixpoint, as far as it came to its end, or what is `needed` of them, if that is known; and of
    `more` that others found."""
    terms, more = any_number.terms, more or {}
    labels: dict[Term, int] = {}
    at: list[tuple[str, int, int]] = []
    for location, node in fixpoint.nodes.items():
        known = fixpoint.label(node) if fixpoint.is_inductive else ()
        said = known if needed is None else needed[node]
        label = terms.all([*said, more.get(location, terms.true)])
        at.append((location.template, location.number, labels.setdefault(label, len(labels))))
    added, threads = fixpoint.sums.for_proof() if fixpoint.is_inductive else ((), ())
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
