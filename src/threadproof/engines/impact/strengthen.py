"""What labels along a path must say, so that something holds at its end: weakest preconditions, only as far as needed.

From the end backwards: what is not implied by a node's label is added to it, and asked for before the letter that
leads to the node. Guards take part only where the path needs them. An assertion that depends on an input is replaced
by constants that the path has there, as few as will do.

Paper: section V, syntactic weakest preconditions as interpolants. Differs: labels that are known already end the chain,
so the same procedure refines a whole path and forces a cover from the nearest common ancestor on.
Invariants: what is added holds at the end of the path to its node, and follows from the label before and the letter.
"""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.abstraction.thread_product import ThreadAction
from threadproof.engines.impact.entailment import Entailment
from threadproof.engines.impact.tree import AbstractNode
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Op, Term, in_order
from threadproof.smt.terms import Terms

Additions = dict[AbstractNode, list[Term]]


LARGE = 24
"""Operations of a formula, from which on values of the path are put in."""


class Strengthening:
    def __init__(self, terms: Terms, entailment: Entailment) -> None:
        self._terms = terms
        self._entailment = entailment
        self._large: dict[Term, bool] = {}

    # --- paths -------------------------------------------------------------------------------------------------------

    def on_path(self, node: AbstractNode, formulas: Iterable[Term], action: ThreadAction | None = None) -> list[Term]:
        """Formulas about the state at a node, and inputs of an action there, as formulas over inputs of the path."""
        inputs = action.transition.fresh_inputs(f"@{node.depth}") if action is not None else {}
        return self._terms.substitute(formulas, {**node.state, **inputs})

    def holds(self, node: AbstractNode, formula: Term, action: ThreadAction | None = None) -> bool:
        """Whether it holds wherever the path to the node leads, for all inputs of the action."""
        known = node.holds.get(formula)
        if known is None:
            names = self._entailment.support(formula)
            values = {name: node.state[name] for name in names if name in node.state}
            if action is not None:
                inputs = action.transition.fresh_inputs(f"@{node.depth}")
                values.update({name: new for name, new in inputs.items() if name in names})
            [here] = self._terms.substitute([formula], values)
            known = node.holds[formula] = not self._entailment.possible(node.asked, [self._terms.not_(here)])
        return known

    # --- labels ------------------------------------------------------------------------------------------------------

    def needed(
        self, node: AbstractNode, formulas: Iterable[Term], stop: AbstractNode | None = None
    ) -> Additions | None:
        """What labels must say besides, for the formulas to hold at the node, where they do hold on its path. Nothing
        is added to `stop`. None: no such labels were found."""
        additions: Additions = {}
        wanted = list(dict.fromkeys(part for formula in formulas for part in conjuncts(formula)))
        while True:
            wanted = list(dict.fromkeys(part for one in wanted for part in self._sharp(node, one)))
            new = [one for one in wanted if not self._entailment.implies(node.label, one)]
            if not new:
                return additions
            if node is stop:
                return None
            additions[node] = new
            if node.parent is None:
                return additions
            before: dict[Term, None] = {}
            for one in new:
                found = self._before(node, one)
                if found is None:
                    return None
                before.update(dict.fromkeys(found))
            wanted, node = list(before), node.parent

    def _sharp(self, node: AbstractNode, formula: Term) -> Iterable[Term]:
        """Of a large formula, values that variables have on the path are put in, and said besides: what is asked of an
        address in general is long, and seldom more is needed."""
        if not self._is_large(formula):
            return (formula,)
        values = {
            one: value
            for one in self._entailment.support(formula)
            if (value := node.state.get(one)) is not None and value.op is Op.VALUE
        }
        if not values:
            return (formula,)
        [rest] = self._terms.substitute([formula], values)
        said = [self._terms.eq(one, value) for one, value in values.items()]
        return (*said, *(one for one in conjuncts(rest) if one is not self._terms.true))

    def _is_large(self, formula: Term) -> bool:
        if formula not in self._large:
            self._large[formula] = len(in_order([formula])) > LARGE
        return self._large[formula]

    def excluding(self, node: AbstractNode, condition: Term, action: ThreadAction) -> Additions | None:
        """What labels must say besides, so that the condition, over the state and the action's inputs, does not
        hold."""
        found = self._about_state(node, self._terms.not_(condition), action)
        return None if found is None else self.needed(node, found)

    def _before(self, node: AbstractNode, formula: Term) -> list[Term] | None:
        """What has to hold at the parent."""
        parent, action = node.parent, node.action
        assert parent is not None
        assert action is not None
        before = formula
        if not self._entailment.support(formula).isdisjoint(action.transition.updates):
            [before] = action.transition.after([formula])
        if before is self._terms.true:
            return []
        guarded = self._terms.or_(self._terms.not_(action.transition.guard), before)
        if parent.label and self._entailment.implies(parent.label, guarded):
            return []
        if not self._inputs(action, before) and self.holds(parent, before):
            return list(conjuncts(before))
        guards = self._guards(parent, action, before)
        return self._about_state(parent, self._terms.any([*map(self._terms.not_, guards), before]), action)

    def _guards(self, parent: AbstractNode, action: ThreadAction, before: Term) -> list[Term]:
        """The conjuncts of the guard that the path needs for it."""
        kept = list(conjuncts(action.transition.guard))
        for one in list(kept):
            rest = [other for other in kept if other is not one]
            if self.holds(parent, self._terms.any([*map(self._terms.not_, rest), before]), action):
                kept = rest
        return kept

    # --- inputs ------------------------------------------------------------------------------------------------------

    def _inputs(self, action: ThreadAction, formula: Term) -> bool:
        return not self._entailment.support(formula).isdisjoint(one.term for one in action.transition.inputs)

    def _about_state(self, node: AbstractNode, formula: Term, action: ThreadAction) -> list[Term] | None:
        """Conjuncts over the state alone that hold on the path and imply the formula for all inputs of the action."""
        if formula is self._terms.true:
            return []
        if not self._inputs(action, formula):
            return list(conjuncts(formula))
        found: list[Term] = []
        for part in conjuncts(formula):
            rest = self._without_inputs(part, action)
            if self.holds(node, rest):
                found += conjuncts(rest)
                continue
            constants = self._constants(node, part, action)
            if constants is None:
                return None
            found += constants
        return found

    def _without_inputs(self, formula: Term, action: ThreadAction) -> Term:
        """The alternatives of a formula that do not speak of inputs: they imply it, and are all that is left of it
        where inputs are chosen against it."""
        wrong = (one for one in conjuncts(self._terms.not_(formula)) if not self._inputs(action, one))
        return self._terms.not_(self._terms.all(wrong))

    def _constants(self, node: AbstractNode, formula: Term, action: ThreadAction) -> list[Term] | None:
        if self._entailment.implies({}, formula):
            return []
        known = [
            self._terms.eq(variable, value)
            for variable in sorted(self._entailment.support(formula), key=lambda one: one.id)
            if (value := node.state.get(variable)) is not None and value.op in (Op.VALUE, Op.TRUE, Op.FALSE)
        ]
        return self._entailment.needed(known, formula)
