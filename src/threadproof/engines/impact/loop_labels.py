"""Labels for all that lies below a node that a loop leads back to, so that every round keeps them.

Refuting paths one by one finds labels that speak of so many rounds. Where places repeat, the strongest labels that a
domain can say (equations, literals) are calculated for the reduced product from that node on, over all rounds and ways
out of them. If something may still go wrong under them, a path to it is refuted, and its predicates are added to what
labels can say. When nothing does, the tree below is built anew along the product, and covers itself.

Paper: A. Albarghouthi, A. Gurfinkel, M. Chechik, From under-approximations to over-approximations and back, TACAS 2012
(unwinding and abstract posts by turns). Differs: the domain is weakened by models (`domains/by_models`), and labels are
calculated from the states of the path to the node, not from its label.
Invariants: nothing is believed: the labels are those of a tree, and the tree is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from threadproof.abstraction.alarms import Refinement
from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_values import LabelValues
from threadproof.abstraction.labelled_product import Alarm, Fixpoint, LabelledPlace, ProductStart
from threadproof.abstraction.possible_path import PossiblePath
from threadproof.abstraction.reduced_product import PlacedLetter, ProductReduction
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Places
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.context import Context
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True, eq=False)
class PlaceLabels:
    """A node of the labelled product, which a node of the tree follows."""

    place: LabelledPlace
    fixpoint: Fixpoint

    @property
    def label(self) -> list[Term]:
        """Without what follows from the places."""
        return self.fixpoint.said(self.place)

    @property
    def letters(self) -> list[PlacedLetter]:
        return [] if self.place.dead is not None else self.place.letters

    def after(self, action: ThreadAction) -> PlaceLabels | None:
        """Where an action leads to that is made there; None if the label excludes it."""
        for one, target in zip(self.place.letters, self.place.edges, strict=True):
            if one.action.key == action.key:
                return None if target is None else PlaceLabels(target, self.fixpoint)
        raise AssertionError(f"no letter of the place: {action.key}")


class LoopLabels:
    """What labels can say is shared by all starts and orders."""

    def __init__(self, product: ThreadProduct, goal: ThreadGoal, dead_ends: DeadEnds, context: Context) -> None:
        self._goal = goal
        self._dead_ends = dead_ends
        self._context = context
        self._values = LabelValues(product, goal)
        self._refinement = Refinement(product, context)

    def begin(self, reduction: ProductReduction, start: ProductStart) -> Fixpoint:
        return Fixpoint(reduction, self._values, self._context, self._goal, self._dead_ends, start)

    def finish(
        self, begun: Fixpoint, path: Sequence[tuple[Places, ThreadAction]], stop: Callable[[], None]
    ) -> PlaceLabels | None:
        """`path` leads to the start. None: the domain cannot say why nothing goes wrong, or something does."""

        def going_on() -> bool:
            stop()
            return False

        before = [(places, _placed(action)) for places, action in path]
        while True:
            found = begun.advance(going_on)
            if not isinstance(found, Alarm):
                return PlaceLabels(begun.root, begun)
            learned = self._refinement.learn(begun, found, before)
            if isinstance(learned, PossiblePath) or not self._values.learn(learned):
                return None
            begun.restart()


def _placed(action: ThreadAction) -> PlacedLetter:
    return PlacedLetter(InstanceLetter(action.instance, action.letter, action.starts), action, action.transition)
