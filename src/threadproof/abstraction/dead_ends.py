"""Places of the reduced product from which nothing that is asked about can be reached: threads sleep for ever.

If all letters of some threads sleep, and no letter that another thread may still make wakes one of them, they never
move again in the words that are kept. Where what may go wrong lies behind the end of one of them (main joins it first),
the place is a dead end, and its successors need not be looked at: a membrane in which nothing is awake.

Invariants: as in `membranes.py`; what is known only gets less where labels get weaker.
"""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.abstraction.membranes import Constants, Membrane, Membranes
from threadproof.automaton import End, Instance, Places
from threadproof.independence.pairs import InstanceLetter


def threads_inside(found: Membrane | None) -> tuple[Instance, ...]:
    return () if found is None else found.threads


class DeadEnds:
    def __init__(self, membranes: Membranes) -> None:
        self._membranes = membranes
        self._found: dict[tuple[object, ...], Membrane | None] = {}

    def at(self, places: Places, asleep: Iterable[InstanceLetter], constants: Constants) -> Membrane | None:
        """`constants` are values that variables have there."""
        sleeping = {(one.instance, one.letter.id) for one in asleep}
        threads = frozenset(
            one
            for one, at in places.threads
            if at.at is not End.FINISHED and sleeping.issuperset(self._membranes.own((one, at)))
        )
        if not threads:
            return None
        key = (places, threads, frozenset(constants.items()))
        if key not in self._found:
            self._found[key] = self._dead(places, threads, constants)
        return self._found[key]

    def _dead(self, places: Places, threads: frozenset[Instance], constants: Constants) -> Membrane | None:
        for first in (one for one, _ in places.threads if one in threads):
            found = self._membranes.around(places, [first], constants, threads.__contains__)
            if found is not None:
                return found
        return None
