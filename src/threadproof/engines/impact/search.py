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

from threadproof.abstraction.path import PathGoal
from threadproof.abstraction.reduced_product import ProductPlace
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadAction, ThreadProduct
from threadproof.encoding.transitions import TransitionTrap
from threadproof.engines.impact.commuting import Commuting
from threadproof.engines.impact.entailment import Entailment
from threadproof.engines.impact.generalise import Generalisation
from threadproof.engines.impact.loop_labels import PlaceLabels
from threadproof.engines.impact.ordered import OrderedPaths
from threadproof.engines.impact.rounds import NewLabel, Rounds, labelled
from threadproof.engines.impact.side_by_side import Beside, PlaceQuestions
from threadproof.engines.impact.sources import PathLabels
from threadproof.engines.impact.strategy import (
    ForceCover,
    ImpossibleLetters,
    TreeCounts,
    TreeExpansion,
    TreeStrategy,
    WorkList,
)
from threadproof.engines.impact.strengthen import Additions, Strengthening
from threadproof.engines.impact.tree import AbstractNode, AbstractTree, common_ancestor
from threadproof.smt.context import Context
from threadproof.smt.solver import Sat
from threadproof.smt.term import Op, Term


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
        self.entailment = Entailment(Context(product.terms))
        self._ordered = ordered
        kept = None if ordered is None else ordered.first()
        self.tree = AbstractTree(product.automaton.initial(), product.space.initial(), kept)
        self._met = met
        self._questions = questions
        self._strengthening = Strengthening(product.terms, self.entailment)
        self._path_labels = PathLabels(product, self.entailment)
        self._commuting = Commuting(product, self.entailment.context)
        generalisation = Generalisation(product, self.entailment, self._strengthening, strategy.sources)
        self._rounds = Rounds(generalisation, self._strengthening, ordered, self.counts)
        self._given_up: dict[AbstractNode, str] = {}
        self._work = deque([self.tree.root])

    # --- algorithm 1 -------------------------------------------------------------------------------------------------

    def run(self, stop: Callable[[], None]) -> TreeCounterexample | None:
        """None: the tree is complete, and a proof unless something was met or given up. `stop` is asked now and
        then; if it raises something, the search may be run again, and goes on."""
        while self._work:
            stop()
            node = self._work.pop() if self.strategy.work_list is WorkList.DEPTH_FIRST else self._work.popleft()
            if node.gone or node.expanded or node.covered:
                continue
            if node.follows is not None:
                self._follow(node, node.follows)
                continue
            if self._close(node) or self._force_cover(node) or self._keep_rounds(node, stop):
                continue
            found = self._expand(node)
            if found is not None:
                return found
        return None

    @property
    def gave_up(self) -> str:
        """Why there is no proof, although nothing was found."""
        return next((why for node, why in self._given_up.items() if not node.gone), "")

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

    def _child(self, node: AbstractNode, action: ThreadAction, kept: ProductPlace) -> AbstractNode:
        """Whether the letter can be made on the path is not asked."""
        transition = action.transition
        guard, *values = self._strengthening.on_path(node, [transition.guard, *transition.updates.values()], action)
        state = {**node.state, **dict(zip(transition.updates, values, strict=True))}
        return self.tree.add(node, action, state, self._asked(node, guard), kept)

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
            self._given_up[node] = "a path that the solver did not decide in time"
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
            self._given_up[node] = "no predicates were found for a path that cannot be made"
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

    def _keep_rounds(self, node: AbstractNode, stop: Callable[[], None]) -> bool:
        """Labels that loops keep, if it is time for them."""
        try:
            found = self._rounds.label(node, stop)
        except BaseException:
            self._work.append(node)  # the search may go on from here
            raise
        if found is not None:
            self._relabel(found)
        return found is not None

    def _relabel(self, found: NewLabel) -> None:
        """The tree below is built anew."""
        node = found.node
        self.counts.loops_labelled += found.follows is not None
        self.counts.generalised += found.follows is None
        self._add(found.additions)
        self._freed(self.tree.cut(node))
        self._given_up.pop(node, None)
        node.label, node.follows = labelled(found.label), found.follows
        self._work.append(node)

    def _follow(self, node: AbstractNode, found: PlaceLabels) -> None:
        """EXPAND and CLOSE with labels that are known."""
        by = next((one for one in self._candidates(node) if one.follows and one.follows.place is found.place), None)
        if by is not None:
            self._cover(node, by)
            return
        node.expanded = True
        for one in found.letters:
            node.tried.add(one.action.key)
            target = found.after(one.action)
            if target is not None:
                child = self._child(node, one.action, target.place.at)
                child.label, child.follows = labelled(target.label), target
                self._work.append(child)

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
