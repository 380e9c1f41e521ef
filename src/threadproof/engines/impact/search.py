"""The algorithm: expand, refine, close; with partial-order reduction, only monotonic paths are expanded.

Paper: B. Wachter, D. Kroening, J. Ouaknine, Verifying multi-threaded software with Impact, FMCAD 2013, algorithms 1
and 2; K. McMillan, Lazy abstraction with interpolants, CAV 2006.
Differs: a letter that cannot be made on the path gets no node: the label says why at once, so every path of the tree
can be made, and an error edge is either excluded by the label or a counterexample. Letters are skipped one by one, not
all letters of a thread. Errors are edges, not nodes.
Invariants: the tree is well-labelled. When the work list is empty it is complete for monotonic paths: at a node that is
not covered, each letter has an edge, is impossible under the label, or is skipped here and at all nodes that this one
covers; and no letter, skipped ones apart, may go wrong under the label.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from threadproof.abstraction.path import PathGoal
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadAction, ThreadProduct
from threadproof.automaton import Places
from threadproof.encoding.transitions import TransitionTrap
from threadproof.engines.impact.commuting import Commuting
from threadproof.engines.impact.entailment import Entailment, NodeLabel
from threadproof.engines.impact.generalise import VISITS, Generalisation, LabelSource
from threadproof.engines.impact.ordered import OrderedPaths
from threadproof.engines.impact.side_by_side import Beside, PlaceQuestions
from threadproof.engines.impact.sources import PathLabels
from threadproof.engines.impact.strengthen import Additions, Strengthening
from threadproof.engines.impact.tree import AbstractNode, AbstractTree, common_ancestor
from threadproof.smt.context import Context
from threadproof.smt.solver import Sat
from threadproof.smt.term import Op, Term

MOST_TRIES = 3
"""Of generalisation, at one place."""
PATIENCE = 4
"""After so many tries in vain, one visit more is waited for."""


class TreeExpansion(Enum):
    """Which paths are expanded."""

    ALL = "spor"  # every interleaving of letters, each of which has at most one visible instruction
    MONOTONIC = "dpor"  # algorithm 2
    ORDERED = "by a preference order"  # sleep sets
    UNSOUND = "dpor without cover expansions"  # what section IV-C warns of; only tests ask for it


class ForceCover(Enum):
    ON = "on"
    OFF = "off"


class WorkList(Enum):
    DEPTH_FIRST = "depth first"
    BREADTH_FIRST = "breadth first"


class ImpossibleLetters(Enum):
    """Letters that cannot be made on the path, although the label does not say so."""

    EXCLUDED = "excluded"  # the label says why at once: every path of the tree can be made
    MADE = "made"  # as in the paper: labels say no more than errors need, and loops keep more of them


@dataclass(frozen=True, slots=True)
class TreeStrategy:
    expansion: TreeExpansion = TreeExpansion.MONOTONIC
    force_cover: ForceCover = ForceCover.ON
    work_list: WorkList = WorkList.DEPTH_FIRST
    sources: tuple[LabelSource, ...] = ()  # of labels that loops keep
    impossible: ImpossibleLetters = ImpossibleLetters.EXCLUDED
    order: str = ""  # of those of `independence/orders`, for the expansion by one; the first, if none is named


@dataclass(slots=True)
class TreeCounts:
    covers: int = 0
    forced: int = 0
    uncovered: int = 0
    cover_expansions: int = 0
    refinements: int = 0
    generalised: int = 0  # visits of a place whose label is what holds in every round
    by_sources: int = 0  # refinements that needed other predicates than weakest preconditions along the tree


@dataclass(frozen=True, slots=True)
class TreeCounterexample:
    """The path to a node, and an action there that goes wrong, with values of its inputs."""

    node: AbstractNode
    action: ThreadAction
    trap: TransitionTrap
    model: Sat
    beside: Beside | None = None  # threads that violate the property together, where they stand


class TreeSearch:
    """`met` is told what can happen and forbids `true`, but violates nothing: the search goes on after it."""

    def __init__(
        self,
        product: ThreadProduct,
        strategy: TreeStrategy,
        met: Callable[[TreeCounterexample], None],
        questions: PlaceQuestions,
        ordered: OrderedPaths | None = None,
    ) -> None:
        """`ordered` for the expansion by a preference order."""
        self.product = product
        self.strategy = strategy
        self.counts = TreeCounts()
        self.gave_up = ""  # why there is no proof, although nothing was found
        self.entailment = Entailment(Context(product.terms))
        self._ordered = ordered
        kept = None if ordered is None else ordered.first()
        self.tree = AbstractTree(product.automaton.initial(), product.space.initial(), kept)
        self._met = met
        self._questions = questions
        self._strengthening = Strengthening(product.terms, self.entailment)
        self._path_labels = PathLabels(product, self.entailment)
        self._commuting = Commuting(product, self.entailment.context)
        self._generalisation = Generalisation(product, self.entailment, self._strengthening, strategy.sources)
        self._tried: dict[Places, int] = {}  # how often labels there were generalised, or that was tried
        self._in_vain = 0
        self._work = deque([self.tree.root])

    # --- algorithm 1 -------------------------------------------------------------------------------------------------

    def run(self, stop: Callable[[], None]) -> TreeCounterexample | None:
        """None: the tree is complete, and a proof unless something was met or given up. `stop` is asked now and
        then."""
        while self._work:
            stop()
            node = self._work.pop() if self.strategy.work_list is WorkList.DEPTH_FIRST else self._work.popleft()
            if node.gone or node.expanded or node.covered or self._close(node) or self._force_cover(node):
                continue
            if self._generalise(node):
                continue
            found = self._expand(node)
            if found is not None:
                return found
        return None

    def _expand(self, node: AbstractNode) -> TreeCounterexample | None:
        node.expanded = True
        found = self._ask_together(node)
        if found is not None:
            return found
        new: list[AbstractNode] = []
        for action in self._actions(node):
            found = self._expand_action(node, action)
            if isinstance(found, TreeCounterexample):
                return found
            if found is not None:
                new.append(found)
            if node.covered:  # by what the label says now
                node.expanded = False
                break
        self._work.extend(new if self._ordered is None else reversed(new))  # what is preferred is looked at first
        return None

    def _actions(self, node: AbstractNode) -> Iterator[ThreadAction]:
        """What is expanded, and was not yet."""
        if self._ordered is not None:
            yield from (one.action for one in self._ordered.letters(node) if one.action.key not in node.tried)
            return
        for action in self.product.actions(node.places):
            if action.key not in node.tried:
                own = not self.skips(node, action)
                if own or self._wanted(node, action):
                    self.counts.cover_expansions += not own
                    yield action

    def _ask_together(self, node: AbstractNode) -> TreeCounterexample | None:
        """What is asked of several threads at once, where they stand so."""
        for question in () if node.asked_together else self._questions.at(node.places):
            found = self._refine(node, question.action, question.violation, None)
            if found is not None:
                return replace(found, beside=question.beside)
        node.asked_together = True
        return None

    def _expand_action(self, node: AbstractNode, action: ThreadAction) -> AbstractNode | TreeCounterexample | None:
        """The new node, if there is one."""
        node.tried.add(action.key)
        asked = self._ordered is None or self._ordered.goal.asks_about(action.instance)
        for trap in (*action.violations, *action.others) if asked else ():
            found = self._refine(node, action, trap)
            if found is not None and trap in action.violations:
                return found
            if found is not None:
                self._met(found)
                if trap.what is MORE_INSTANCES:
                    return None
        transition = action.transition
        guard, *values = self._strengthening.on_path(node, [transition.guard, *transition.updates.values()], action)
        if not self.entailment.possible(node.asked, [guard]):
            if self.strategy.impossible is ImpossibleLetters.EXCLUDED:
                self._exclude(node, transition.guard, action, PathGoal.LETTERS)
                return None
            if self.entailment.implies(node.label, self.product.terms.not_(transition.guard)):
                return None
            guard = self.product.terms.false
        state = {**node.state, **dict(zip(transition.updates, values, strict=True))}
        so_far = self._asked(node, guard)
        kept = None if self._ordered is None else self._ordered.after(node, action)
        return self.tree.add(node, action, state, so_far, kept)

    def _asked(self, node: AbstractNode, guard: Term) -> tuple[Term, ...]:
        """What the guards of a path ask for; false alone, where it cannot be made."""
        if guard.op is Op.FALSE or node.asked[:1] == (self.product.terms.false,):
            return (self.product.terms.false,)
        return node.asked if guard.op is Op.TRUE else (*node.asked, guard)

    def _refine(
        self, node: AbstractNode, action: ThreadAction, trap: TransitionTrap, goal: PathGoal | None = PathGoal.TRAP
    ) -> TreeCounterexample | None:
        """REFINE of the error node behind an action that goes wrong."""
        [condition] = self._strengthening.on_path(node, [trap.condition], action)
        if not self.entailment.possible(node.asked, [condition]):
            self._exclude(node, trap.condition, action, goal)
            return None
        model = self.entailment.model([*node.asked, condition])
        if model is None:
            self.gave_up = self.gave_up or "a path that the solver did not decide in time"
            return None
        return TreeCounterexample(node, action, trap, model)

    def _exclude(self, node: AbstractNode, condition: Term, action: ThreadAction, goal: PathGoal | None) -> None:
        """Labels are strengthened so that the condition, which does not hold on the path, cannot hold at the node.
        Sources are asked for goals of a path."""
        additions = self._strengthening.excluding(node, condition, action)
        if additions is None and goal is not None:
            self.counts.by_sources += 1
            additions = self._path_labels.excluding(node, action, goal)
        if additions is None:
            self.gave_up = self.gave_up or "no predicates were found for a path that cannot be made"
            return
        self.counts.refinements += bool(additions)
        self._add(additions)
        for node in reversed(additions):  # algorithm 1, l. 41
            if node.covered:
                break
            self._close(node)

    def _add(self, additions: Additions) -> None:
        for node, formulas in additions.items():
            node.label.update(dict.fromkeys(formulas))
            self._freed(self.tree.uncover(node))

    def _freed(self, nodes: list[AbstractNode]) -> None:
        self.counts.uncovered += len(nodes)
        self._work.extend(nodes)

    def _generalise(self, node: AbstractNode) -> bool:
        """Where threads stand at the same places again and again: the label of the first visit becomes what holds in
        every round, and the tree below it is built anew."""
        tries = self._tried.get(node.places, 0)
        if not self.strategy.sources or node.action is None or not node.action.loops or tries >= MOST_TRIES:
            return False
        visits = [one for one in node.up() if (one.places, one.kept) == (node.places, node.kept)][::-1]
        if len(visits) < VISITS + tries + self._in_vain // PATIENCE:
            return False
        self._tried[node.places] = tries + 1
        visits = visits[tries % 2 :]  # what holds before the first round may hold in no other
        found = self._generalisation.invariant(visits)
        first = visits[0]
        additions = self._strengthening.needed(first, found) if found and set(found) != set(first.label) else None
        if additions is None:
            self._in_vain += 1
            return False
        self.counts.generalised += 1
        self._add(additions)
        first.label = NodeLabel()
        first.label.update(dict.fromkeys(found))
        self._freed(self.tree.cut(first))
        self._work.append(first)
        return True

    # --- covering ----------------------------------------------------------------------------------------------------

    def _close(self, node: AbstractNode) -> bool:
        for by in self._candidates(node):
            if self.entailment.all_implied(node.label, by.label):
                return self._cover(node, by)
        return False

    def _candidates(self, node: AbstractNode) -> list[AbstractNode]:
        found = self.tree.candidates(node)
        return found if self._ordered is None else [one for one in found if self._ordered.may_cover(one, node)]

    def _force_cover(self, node: AbstractNode) -> bool:
        """Labels between the nearest common ancestor and the node are strengthened, if that lets another cover it."""
        if self.strategy.force_cover is ForceCover.OFF:
            return False
        for by in self._candidates(node):
            missing = [one for one in by.label if not self.entailment.implies(node.label, one)]
            if not all(self._strengthening.holds(node, one) for one in missing):
                continue
            additions = self._strengthening.needed(node, missing, common_ancestor(node, by))
            if additions is not None:
                self._add(additions)
                if not by.covered and self.entailment.all_implied(node.label, by.label):
                    self.counts.forced += 1
                    return self._cover(node, by)
        return False

    def _cover(self, node: AbstractNode, by: AbstractNode) -> bool:
        self.counts.covers += 1
        self._freed(self.tree.cover(node, by))
        if self._ordered is not None:
            return True
        actions = self.product.actions(node.places)
        if by.expanded and any(one.key not in by.tried and self._wanted(by, one) for one in actions):
            by.expanded = False  # algorithm 2, l. 14: now also with what is expanded for the covered node
            self._work.append(by)
        return True

    # --- partial-order reduction -------------------------------------------------------------------------------------

    def skips(self, node: AbstractNode, action: ThreadAction) -> bool:
        """SKIP of algorithm 2: the path would not be monotonic. Decided once; labels keep what it rests on."""
        known = node.skipped.get(action.key)
        if known is None:
            known = node.skipped[action.key] = self._skips(node, action)
        return known

    def _skips(self, node: AbstractNode, action: ThreadAction) -> bool:
        last, parent = node.action, node.parent
        if last is None or parent is None or self.strategy.expansion is TreeExpansion.ALL or last.loops:
            return False
        if self.product.order(action.instance) >= self.product.order(last.instance):
            return False
        if all(one != action.instance for one, _ in parent.places.threads):  # the last letter started it
            return False
        condition = self._commuting.condition(last, action)
        return condition is not None and self._known_before(parent, condition)

    def _known_before(self, node: AbstractNode, condition: tuple[Term, ...]) -> bool:
        """Section IV-D: whether the condition holds on the path. Then it becomes part of the labels."""
        if not all(self._strengthening.holds(node, one) for one in condition):
            return False
        additions = self._strengthening.needed(node, condition)
        if additions is None:
            return False
        self._add(additions)
        return True

    def _wanted(self, node: AbstractNode, action: ThreadAction) -> bool:
        """Whether a node that this one covers would have been expanded with the action: a cover expansion."""
        if self.strategy.expansion is TreeExpansion.UNSOUND:
            return False
        return any(not self.skips(one, action) for one in list(node.covers))
