"""The labels as a proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.automaton import Location
from threadproof.core.proofs import ThreadModularProof
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term
from threadproof.thread_modular.fixpoint import ModularFixpoint

Labels = Mapping[Location, Iterable[Term]]


def labels_of(fixpoint: ModularFixpoint) -> Labels:
    """All that is known, if the fixpoint came to its end."""
    return {place: fixpoint.label(node) if fixpoint.is_inductive else () for place, node in fixpoint.nodes.items()}


def proof_of(
    any_number: AnyNumber,
    fixpoint: ModularFixpoint,
    labels: Labels,
    pairs: Mapping[tuple[Location, ...], Iterable[Term]] | None = None,
    watched: Mapping[str, str] | None = None,
) -> ThreadModularProof:
    """Of labels of one place and of two; what is added to words is from the fixpoint."""
    terms, numbers = any_number.terms, dict[Term, int]()

    def number(said: Iterable[Term]) -> int:
        return numbers.setdefault(terms.all(said), len(numbers))

    at = [(place.template, place.number, number(said)) for place, said in labels.items()]
    of_pairs = [(x.template, x.number, y.template, y.number, number(said)) for (x, y), said in (pairs or {}).items()]
    added, threads = fixpoint.sums.for_proof() if fixpoint.is_inductive else ((), ())
    ghosts = any_number.ghosts
    return ThreadModularProof(
        script(list(numbers)),
        tuple(at),
        tuple(sorted(any_number.many)),
        counted=_names(ghosts.counted),
        added=added,
        threads=threads,
        locks=_names(ghosts.holders),
        marked=_names(ghosts.marked.marks),
        pairs=tuple(of_pairs),
        watched=tuple((watched or {}).items()),
    )


def _names(variables: Iterable[Term]) -> tuple[str, ...]:
    return tuple(one.name for one in variables)
