"""Labels that loops keep: when a path has come to the same places again, and which node gets them.

By a preference order, labels are calculated at once for all that lies below (`loop_labels.py`). Otherwise, or if that
does not succeed, labels of the visits are generalised (`generalise.py`).
Invariants: labels above the node imply the new label along the path, with what is added to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from threadproof.automaton import Places
from threadproof.engines.impact.entailment import NodeLabel
from threadproof.engines.impact.generalise import VISITS, Generalisation
from threadproof.engines.impact.loop_labels import PlaceLabels
from threadproof.engines.impact.ordered import OrderedPaths
from threadproof.engines.impact.strategy import TreeCounts
from threadproof.engines.impact.strengthen import Additions, Strengthening
from threadproof.engines.impact.tree import AbstractNode
from threadproof.smt.term import Term

MOST_TRIES = 3
"""Of generalisation, at one place."""
PATIENCE = 4
"""After so many tries in vain, one visit more is waited for."""
LOOKAHEAD = 2
"""Visits of a place on a path, from which on labels are calculated for all below."""


@dataclass(frozen=True, slots=True)
class NewLabel:
    node: AbstractNode
    label: list[Term]
    additions: Additions  # to labels above
    follows: PlaceLabels | None = None  # labels below are known, too


class Rounds:
    def __init__(
        self,
        generalisation: Generalisation,
        strengthening: Strengthening,
        ordered: OrderedPaths | None,
        counts: TreeCounts,
    ) -> None:
        self._generalisation = generalisation
        self._strengthening = strengthening
        self._ordered = ordered
        self._counts = counts
        self._tried: dict[Places, int] = {}  # how often labels there were generalised, or that was tried
        self._calculated: set[Places] = set()  # or that was tried
        self._in_vain = 0

    def label(self, node: AbstractNode, stop: Callable[[], None]) -> NewLabel | None:
        """None: no label is known that is better, or it is too early. `stop` may raise something."""
        if node.action is None or not node.action.loops or not self._generalisation.is_wanted:
            return None
        found = None if self._ordered is None else self._all_below(node, self._ordered, stop)
        return found or self._generalised(node)

    # --- at once -----------------------------------------------------------------------------------------------------

    def _all_below(self, node: AbstractNode, ordered: OrderedPaths, stop: Callable[[], None]) -> NewLabel | None:
        """Below where paths part first, or below the first visit."""
        visits = [one for one in node.up() if one.places == node.places][::-1]
        if node.places in self._calculated or len(visits) < LOOKAHEAD:
            return None
        parting = next((one for one in visits[0].path if len(ordered.letters(one)) > 1), visits[0])
        found = next(
            filter(None, (self._below(one, ordered, stop) for one in dict.fromkeys((parting, visits[0])))), None
        )
        self._calculated.add(node.places)
        self._counts.loops_in_vain += found is None
        return found

    def _below(self, node: AbstractNode, ordered: OrderedPaths, stop: Callable[[], None]) -> NewLabel | None:
        found = ordered.loop_labels(node, stop)
        additions = None if found is None else self._strengthening.needed(node, found.label)
        return None if found is None or additions is None else NewLabel(node, found.label, additions, found)

    # --- from labels of visits ---------------------------------------------------------------------------------------

    def _generalised(self, node: AbstractNode) -> NewLabel | None:
        """For the first visit: what holds at all of them and in every round."""
        tries = self._tried.get(node.places, 0)
        visits = [one for one in node.up() if (one.places, one.kept) == (node.places, node.kept)][::-1]
        if tries >= MOST_TRIES or len(visits) < VISITS + tries + self._in_vain // PATIENCE:
            return None
        self._tried[node.places] = tries + 1
        visits = visits[tries % 2 :]  # what holds before the first round may hold in no other
        found = self._generalisation.invariant(visits)
        first = visits[0]
        additions = self._strengthening.needed(first, found) if found and set(found) != set(first.label) else None
        if additions is None:
            self._in_vain += 1
            return None
        return NewLabel(first, found, additions)


def labelled(formulas: Iterable[Term]) -> NodeLabel:
    label = NodeLabel()
    label.update(dict.fromkeys(formulas))
    return label
