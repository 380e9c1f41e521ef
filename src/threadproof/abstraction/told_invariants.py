"""What holds where the threads stand at loop heads, in the program's words: for people, no part of the proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.abstraction.names import CNames
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import End, Instance, Location, Places
from threadproof.smt.term import Term

MOST = 6  # places; of each, the shortest conditions
LONGEST = 80  # characters of one condition


def invariants(product: ThreadProduct, labels: Iterable[tuple[Places, list[Term]]]) -> tuple[tuple[str, str], ...]:
    """Where some threads are at loop heads, and the others there or at their ends; each place once."""
    names = CNames(product.space)
    found: dict[str, str] = {}
    for places, label in labels:
        where = _where(product, places)
        if where and where not in found and len(found) < MOST:
            holds = " && ".join(_conditions(names, label))
            if holds:
                found[where] = holds
    return tuple(found.items())


def _where(product: ThreadProduct, places: Places) -> str:
    """Nothing, if a thread besides main is between loop heads."""
    heads: list[str] = []
    for instance, location in places.threads[1:]:
        if location in product.automaton.templates[instance.template].loop_heads:
            heads.append(_at(product, instance, location))
        elif not isinstance(location.at, End):
            return ""
    return ", ".join(heads)


def _at(product: ThreadProduct, instance: Instance, location: Location) -> str:
    letters = product.automaton.templates[instance.template].letters_from(location)
    return f"{instance} at line {letters[0].steps[0].instr.loc.line}" if letters else str(instance)


def _conditions(names: CNames, label: list[Term]) -> Iterator[str]:
    """Equations first: they say most."""
    told = sorted((names.condition(one) for one in label), key=lambda one: "==" not in one)
    return (one for one in dict.fromkeys(told) if len(one) <= LONGEST and not one.startswith("(") and "|" not in one)
