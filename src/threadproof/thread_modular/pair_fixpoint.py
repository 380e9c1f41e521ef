"""The strongest labels of one thread and of two that conjunctions of literals can say.

Where labels of single threads do not exclude an error, it may be because two threads never are somewhere at once, or
never have one number: tickets, turns, hand-made locks.

Paper: C. Flanagan, K. Leino, Houdini, an annotation assistant for ESC/Java, FME 2001; bottom up here, so that where no
two threads can be at once, nothing is said of numbers.
Invariants: labels only get weaker. What is left at the end holds after every step from states in which it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from threadproof.domains.by_models import strongest
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import Context
from threadproof.smt.solver import Unsat
from threadproof.smt.term import Op, Term
from threadproof.thread_modular.cone import OwnLetter
from threadproof.thread_modular.fixpoint import ModularAlarm, ModularFixpoint
from threadproof.thread_modular.pair_graph import PairCase, PairEdge, PairGraph

_MODELS = 40  # that weaken a label for one step, before what is violated is dropped


def excluded(any_number: AnyNumber, own: OwnLetter) -> list[Term]:
    """What must not hold before the letter."""
    new = any_number.starts(any_number.one(own.letter.template), own.letter)
    once = [any_number.space.threads[one].started for one in new if one.template not in any_number.many]
    return [one for one in (*own.wrong, *once) if one.op is not Op.FALSE]


class PairFixpoint:
    def __init__(self, any_number: AnyNumber, fixpoint: ModularFixpoint, graph: PairGraph) -> None:
        self._any = any_number
        self._terms = any_number.terms
        self._fixpoint = fixpoint
        self._context = Context(any_number.terms)
        self.graph = graph
        self._facts = [*any_number.facts(), *fixpoint.sums.facts()]
        self.questions = 0

    def run(self, stop: Callable[[], str | None]) -> ModularAlarm | str | None:
        """None: the labels are inductive and nothing goes wrong. Else what may go wrong, or why it was stopped."""
        entry = self._any.automaton.templates[self._any.automaton.main].entry
        first = self.graph.singles[entry]
        first.value = strongest(self._context, [], first.value, self._any.initial()).value
        changed = True
        while changed:
            alarm = self._alarm()
            if alarm is not None:
                return alarm
            changed = False
            for edge in self.graph.edges:
                limit = stop()
                if limit is not None:
                    return limit
                changed |= self._follow(edge)
        return None

    def _follow(self, edge: PairEdge) -> bool:
        """Whether the label that it leads to became weaker."""
        now = (edge.target.version, *(premise.node.version for premise in edge.premises))
        if edge.seen == now or any(premise.node.value.is_bottom for premise in edge.premises):
            return False
        target = edge.target
        said = [one for premise in edge.premises for one in self.graph.renamed(premise.node.said, premise)]
        images = edge.step.after(target.value.columns)
        before = self._near([*edge.given], images, [*said, *self._facts])
        self.questions += 1
        found = strongest(self._context, before, target.value, edge.step.updates, most=_MODELS).value
        if found != target.value:
            target.value = found
            target.version += 1
            return True
        edge.seen = now
        return False

    def _near(self, near: list[Term], asked: Iterable[Term], far: Collection[Term]) -> list[Term]:
        """`near`, with what has to do with what is asked about, also by way of others."""
        near, _ = self._fixpoint.closure(near, [*near, *asked], far)
        return near

    def _alarm(self) -> ModularAlarm | None:
        for own in self._fixpoint.letters:
            for condition in excluded(self._any, own):
                if any(self._can_hold(case, condition) for case in self.graph.cases(own.letter)):
                    return ModularAlarm(own.letter, self._fixpoint.may_go_wrong(own.letter))
        return None

    def _can_hold(self, case: PairCase, condition: Term) -> bool:
        if any(premise.node.value.is_bottom for premise in case.premises):
            return False
        said = [one for premise in case.premises for one in self.graph.renamed(premise.node.said, premise)]
        near = self._near([*case.given, condition], [], [*said, *self._facts])
        self.questions += 1
        return not isinstance(self._context.check(near), Unsat)
