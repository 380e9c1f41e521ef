"""What of inductive labels is needed for the proof: the rest would have to be checked, too.

A domain says all that it can, so most literals of a label follow from others or are of no use to anybody. Here what
excludes each error is looked up (unsatisfiable cores), then what leads to that, until nothing more is needed: the
smaller labels are inductive for the same reasons. Invariants: nothing is believed because of this; the checker asks
everything anew. If a question is not decided, labels are left as they are.

Paper: E. Ghassabani, A. Gacek, M. Whalen, Efficient Generation of Inductive Validity Cores for Safety Properties,
FSE 2016.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import Context, Core
from threadproof.smt.solver import Unsat
from threadproof.smt.term import Op, Term, variables
from threadproof.thread_modular.fixpoint import ModularEdge, ModularFixpoint, ModularNode
from threadproof.thread_modular.proof import Labels, labels_of

N = TypeVar("N", bound=Hashable)


class NotDecided(Exception):
    pass


class KeptClaims(Generic[N]):
    """Parts of the labels of nodes (`labels`), and those that contradictions needed so far (`kept`)."""

    def __init__(
        self,
        context: Context,
        facts: Sequence[Term],
        labels: Mapping[N, Iterable[Term]],
        stop: Callable[[], str | None],
    ) -> None:
        self.labels = {node: dict.fromkeys(said) for node, said in labels.items()}
        self.kept: dict[N, dict[Term, None]] = {node: {} for node in self.labels}
        self._context = context
        self._facts = facts
        self._stop = stop

    def keep(self, node: N, claim: Term) -> None:
        self.kept[node][claim] = None

    def contradict(self, claims: list[tuple[N, Term, Term]], others: Sequence[Term]) -> bool:
        """Whether these cannot hold together: claims, what they mean here, and others. Claims that are needed for that
        are kept. Raises NotDecided."""
        if self._stop() is not None:
            raise NotDecided
        given = [*self._facts, *others]
        kept = [formula for node, one, formula in claims if one in self.kept[node]]
        if isinstance(self._context.check([*given, *kept]), Unsat):
            return True
        named = {f"claim {number}": formula for number, (_, _, formula) in enumerate(claims)}
        found = self._context.core(named | {f"given {number}": one for number, one in enumerate(given)})
        if not isinstance(found, Core):
            return False
        core = set(found.names)
        for name, (node, one, _) in zip(named, claims, strict=True):
            if name in core:
                self.keep(node, one)
        return True


class NeededClaims:
    def __init__(
        self,
        any_number: AnyNumber,
        fixpoint: ModularFixpoint,
        stop: Callable[[], str | None],
        about: Collection[str] | None = None,
    ) -> None:
        """`fixpoint` has found that nothing goes wrong, or not in threads of the templates that this is `about`."""
        self._about = about
        self._any = any_number
        self._terms = any_number.terms
        self._fixpoint = fixpoint
        facts = [*any_number.facts(), *fixpoint.sums.facts()]
        labels = {node: fixpoint.label(node) for node in fixpoint.nodes.values()}
        self._claims = KeptClaims(Context(any_number.terms), facts, labels, stop)
        self._labels = self._claims.labels
        self._led: dict[ModularEdge, set[Term]] = {}  # what each edge is known to lead to

    def labels(self) -> Labels:
        """All that is known, if it was not decided, or there was no time."""
        try:
            self._exclude_errors()
            edges = [edge for edge in self._fixpoint.edges if edge.target in self._labels]
            while sum(map(self._lead, edges)):
                pass
        except NotDecided:
            return labels_of(self._fixpoint)
        return {place: list(self._claims.kept[node]) for place, node in self._fixpoint.nodes.items()}

    # --- what has to be excluded -------------------------------------------------------------------------------------

    def _exclude_errors(self) -> None:
        fixpoint = self._fixpoint
        for node in self._labels:
            if node.value.is_bottom:
                self._claims.keep(node, self._terms.false)
        for own in fixpoint.letters:
            node, letter = fixpoint.nodes[own.letter.source], own.letter
            if self._about is None or letter.template in self._about:
                self._exclude(node, self._terms.any(own.wrong))
            for new in self._any.starts(self._any.one(letter.template), letter):
                if new.template not in self._any.many:
                    self._exclude(node, self._any.space.threads[new].started)
            if fixpoint.sums.concerns(own):
                fixpoint.sums.widen(own, partial(fixpoint.few_values, letter), partial(self._can_hold, node))

    def _exclude(self, node: ModularNode, condition: Term) -> None:
        if self._can_hold(node, condition):
            raise NotDecided

    def _can_hold(self, node: ModularNode, condition: Term) -> bool:
        if condition.op is Op.FALSE:
            return False
        return not self._claims.contradict(
            [(node, one, one) for one in self._labels[node]], [*node.standing, condition]
        )

    # --- what leads there --------------------------------------------------------------------------------------------

    def _lead(self, edge: ModularEdge) -> bool:
        """Keeps what the edge needs to lead to what is kept at its target; whether there was anything to look at."""
        led = self._led.setdefault(edge, set())
        new = [one for one in self._claims.kept[edge.target] if one not in led]
        if not new:
            return False
        led.update(new)
        asked: list[Term] = []
        for one in new:
            if one.op is not Op.FALSE and edge.transition.updates.keys().isdisjoint(variables([one])):
                if edge.observed:
                    continue
                if edge.stays and one in self._labels[edge.source]:
                    self._claims.keep(edge.source, one)
                    continue
            asked.append(one)
        if asked and not self._claims.contradict(*self._step(edge, asked)):
            raise NotDecided
        return True

    def _step(self, edge: ModularEdge, asked: list[Term]) -> tuple[list[tuple[ModularNode, Term, Term]], list[Term]]:
        """The claims of those who are there, and the step from there to where something that is asked does not hold."""
        source, target = edge.source, edge.target
        said = list(self._labels[source])
        claims = [(source, one, of) for one, of in zip(said, self._fixpoint.of_actor(edge, said), strict=True)]
        step = [*self._fixpoint.of_actor(edge, source.standing), edge.transition.guard]
        if edge.observed:
            claims += [(target, one, one) for one in self._labels[target]]
            step += target.standing
        elif not edge.stays:
            step += self._any.unstarted()
        after = edge.transition.after(asked)
        return claims, [*step, self._terms.not_(self._terms.all(after))]
