"""The strongest labels of single threads that a domain can say: from nothing upwards, weakened by models.

Paper: A. Miné, Static analysis of run-time errors in embedded real-time C programs, LMCS 2012 (thread-modular abstract
interpretation: threads one by one, and what others may do between their steps); M. Schwarz et al., Improving
Thread-Modular Abstract Interpretation, SAS 2021 (values under locks).
Differs: interference is no summary of writes. Each letter of each thread is applied to each label that it can meet,
under the labels of both; so locks exclude because labels contradict each other. What holds while nobody has a lock is a
label of its own, known to all. Solvers are asked about the columns that a letter concerns, the others are joined.
Invariants: labels only get weaker. What is left at the end holds after every step from states in which it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

from threadproof.automaton import Instance, Letter, Location
from threadproof.domains.by_models import after, strongest
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import Context
from threadproof.smt.solver import Outcome, Sat, Unsat
from threadproof.smt.term import Op, Term, variables
from threadproof.thread_modular.cone import Cone, own_letters
from threadproof.thread_modular.label_value import Columns, LabelValue
from threadproof.thread_modular.linear import equations_after
from threadproof.thread_modular.sums import AddedSums
from threadproof.thread_modular.values import ModularValues

_PATIENCE = 4
_MODELS = 24  # that weaken a label for one letter, before what is violated is dropped


@dataclass(slots=True, eq=False)
class ModularNode:
    """A label: of threads at a location, or (`word`) of all states in which a lock is free."""

    value: LabelValue
    location: Location | None = None
    word: Term | None = None
    version: int = 0
    standing: list[Term] = field(default_factory=list[Term])
    grown: Counter[Term] = field(default_factory=Counter[Term])  # how often sets of values had to grow

    def weaken(self, value: LabelValue) -> None:
        """A set that has grown too often is given up: a counter has a long way up."""
        self.grown.update(value.grown_since(self.value))
        self.value = value.without([column for column, often in self.grown.items() if often > _PATIENCE])
        self.version += 1


@dataclass(slots=True, eq=False)
class ModularEdge:
    """A letter of a thread from `source`, and the label that its step must lead to. `observed`: that label is of
    another thread, and holds before the step, too."""

    source: ModularNode
    actor: Instance
    letter: Letter
    transition: Transition
    target: ModularNode
    words: list[Term]  # locks of which it matters whether they are free
    observed: bool = False
    seen: tuple[int, ...] = ()
    kept: tuple[frozenset[Term], LabelValue] | None = None  # what was asked last, when nothing had to change

    @property
    def stays(self) -> bool:
        """Whether it is about the thread that moves."""
        place = self.target.location
        return not self.observed and place is not None and place == self.letter.target


@dataclass(frozen=True, slots=True)
class ModularAlarm:
    """Something may go wrong in a letter; without a trap, a second thread where one is meant."""

    letter: Letter
    trap: TransitionTrap | None


class Alarms(Enum):
    HEEDED = "heeded"
    IGNORED = "ignored"


class ModularFixpoint:
    def __init__(
        self, any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool], context: Context, size: Cone
    ) -> None:
        """Changes of words that `any_number` counts are bounded."""
        self._any = any_number
        self._terms = any_number.terms
        self._space = any_number.space
        self._context = context
        self._forbids = forbids
        self._always = [*self._any.facts(), *self._any.unstarted()]
        self.questions = 0
        self.is_inductive = False
        self._alarms = Alarms.HEEDED
        self.letters = own_letters(any_number, forbids)
        self.values = ModularValues(any_number, self.letters, size)
        self.sums = AddedSums(any_number, self.letters)
        self._facts = [*self._always, *self.sums.facts()]
        self.nodes = {location: self._node(location) for location in self._locations()}
        self.free = {word: ModularNode(self.values.free(), word=word) for word in self.values.words}
        self.edges = list(self._all_edges())
        self._variables: dict[Term, frozenset[Term]] = {}
        self._together: dict[tuple[ModularNode, ModularNode], tuple[int, int, bool]] = {}
        self._looked: dict[Letter, tuple[int, ...]] = {}

    def run(self, stop: Callable[[], str | None]) -> ModularAlarm | str | None:
        """None: the labels are inductive and nothing goes wrong. Else what may go wrong, or why it was stopped."""
        self._begin()
        return self._until_inductive(stop)

    def go_on(self, stop: Callable[[], str | None]) -> ModularAlarm | str | None:
        """After an alarm: until the labels are inductive, whatever may go wrong under them."""
        self._alarms = Alarms.IGNORED
        return self._until_inductive(stop)

    def _until_inductive(self, stop: Callable[[], str | None]) -> ModularAlarm | str | None:
        parts = [
            [edge for edge in self.edges if edge.stays and edge.letter.template == template]
            for template in self._any.automaton.templates
        ]
        starts = [edge for edge in self.edges if not edge.stays and not edge.observed]
        others = [edge for edge in self.edges if edge.observed]
        while True:
            changed: bool | str = False
            for edges in (*parts, starts):  # first each thread by itself
                if isinstance(changed, str):
                    return changed
                changed = self._rounds(edges, stop) or changed
            if changed is False:
                changed = self._widen()
            if changed is False:
                alarm = self._alarm() if self._alarms is Alarms.HEEDED else None
                if alarm is not None:
                    return alarm
                changed = self._round(others, stop)
            if isinstance(changed, str):
                return changed
            if not changed:
                self.is_inductive = True
                return None

    def _rounds(self, edges: list[ModularEdge], stop: Callable[[], str | None]) -> bool | str:
        """Until nothing changes any more."""
        changed = self._round(edges, stop)
        while changed is True:
            more = self._round(edges, stop)
            if more is False:
                return True
            changed = more
        return changed

    def _round(self, edges: list[ModularEdge], stop: Callable[[], str | None]) -> bool | str:
        """Whether a label became weaker; or why it was stopped."""
        changed = False
        for edge in edges:
            limit = stop()
            if limit is not None:
                return limit
            changed |= self._follow(edge)
        return changed

    def columns(self, location: Location) -> tuple[Term, ...]:
        """What its label may speak of, but for locks."""
        return self.nodes[location].value.box.columns

    def label(self, node: ModularNode) -> list[Term]:
        """With what is known of locks that are free."""
        return [*node.value.to_terms(), *(one for word in self.free for one in self._if_free(word))]

    # --- the program -------------------------------------------------------------------------------------------------

    def _locations(self) -> Iterator[Location]:
        for template in self._any.automaton.templates.values():
            yield from (one for one in template.locations if template.letters_from(one))

    def _own(self, letter: Letter) -> Transition:
        one = self._any.one(letter.template)
        return self._any.transition(one, letter, self._any.starts(one, letter))

    def _node(self, location: Location) -> ModularNode:
        standing = self._any.standing(self._any.one(location.template), location)
        return ModularNode(self.values.at(location), location, standing=standing)

    def _all_edges(self) -> Iterator[ModularEdge]:
        for letter in self._any.automaton.letters:
            one, own = self._any.one(letter.template), self._own(letter)
            if letter.target in self.nodes:
                yield self._edge(one, letter, own, self.nodes[letter.target])
            yield from self._creations(letter)
            for word, node in self.free.items():
                if word in own.updates or any(v in own.updates for v in self.values.shared):
                    yield self._edge(one, letter, own, node)
            yield from self._interference(letter)

    def _edge(self, actor: Instance, letter: Letter, transition: Transition, target: ModularNode) -> ModularEdge:
        words = [word for word in self.free if word in transition.updates or word in transition.reads]
        if target.word is not None and target.word not in words:
            words.append(target.word)
        return ModularEdge(self.nodes[letter.source], actor, letter, transition, target, words)

    def _creations(self, letter: Letter) -> Iterator[ModularEdge]:
        """The new thread is the one that labels are about; a creator of its kind is the other."""
        for about, template in enumerate(letter.forks):
            entry = self._any.automaton.templates[template].entry
            same = template == letter.template
            actor = self._any.other(template) if same else self._any.one(letter.template)
            transition = self._any.transition(actor, letter, self._any.starts(actor, letter, about=about))
            yield self._edge(actor, letter, transition, self.nodes[entry])

    def _interference(self, letter: Letter) -> Iterator[ModularEdge]:
        """On labels of all who are not inside an atomic block."""
        for location, node in self.nodes.items():
            actor = self._any.beside(letter.template, location.template)
            if actor is not None and not location.depth:
                starts = self._any.starts(actor, letter, self._any.one(location.template))
                transition = self._any.transition(actor, letter, starts)
                yield replace(self._edge(actor, letter, transition, node), observed=True)

    # --- the fixed point ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        main = self._any.automaton.templates[self._any.automaton.main].entry
        for node in (self.nodes[main], *self.free.values()):
            node.value = strongest(self._context, [], node.value, self._any.initial()).value
            node.version += 1

    def _follow(self, edge: ModularEdge) -> bool:
        """Whether the label of the target had to become weaker."""
        source, target = edge.source, edge.target
        if source.value.is_bottom or (edge.observed and target.value.is_bottom):
            return False
        now = (source.version, target.version, self.sums.version, *(self.free[word].version for word in edge.words))
        if edge.seen == now:
            return False
        value = self._observed(edge) if edge.observed else self._moved(edge)
        changed = value != target.value
        if changed:
            target.weaken(value)
        if not changed or not (edge.observed or target is source or target.word is not None):
            edge.seen = (source.version, target.version, *now[2:])
        return changed  # where the new label is also what held before, it has to be looked at again

    def _observed(self, edge: ModularEdge) -> LabelValue:
        """The label of a thread that another thread's letter meets."""
        target = edge.target.value
        touched = [one for one in target.to_terms() if not self._names(one).isdisjoint(edge.transition.updates)]
        if not touched or not self._can_meet(edge):
            return target
        names = [*edge.transition.updates, *(name for one in touched for name in self._names(one))]
        before, columns = self._near(edge, names)
        part = target.part(columns, self.values.support)
        value = self._strongest(before, part, edge)
        return target if value == part else target.weakened(value, columns)

    def _moved(self, edge: ModularEdge) -> LabelValue:
        """The label of the thread itself where it comes to, of one that it starts, or of states with a free lock."""
        source, target = edge.source.value, edge.target.value
        unknown = [one for one in target.box.columns if one not in source.box.columns]
        before, columns = self._near(edge, [*edge.transition.updates, *unknown])
        part = target.part(columns, self.values.support)
        own = edge.actor == self._any.one(edge.letter.template)  # of another, the source's equations would be others
        linear = equations_after(source.equations if own else (), edge.transition, part.equations)
        if linear.equations != part.equations:  # no models are needed to find them
            outcome = self._check(before)
            if isinstance(outcome, Unsat):
                return target
            if isinstance(outcome, Sat):
                part = part.admit(after(outcome.model, edge.transition.updates)).with_equations(linear.equations)
        value = self._strongest(before, part, edge, () if part.is_bottom else linear.proved())
        if value.is_bottom:
            return target
        found = target.after(value, source, columns, self.values.support)
        if value != part or found == target or not isinstance(self._check(before), Unsat):
            return found
        return target

    def _strongest(
        self, before: list[Term], part: LabelValue, edge: ModularEdge, proved: Iterable[Term] = ()
    ) -> LabelValue:
        """`proved` is known to hold afterwards."""
        asked = (frozenset(before), part)
        if edge.kept == asked:
            return part
        self.questions += 1
        updates = edge.transition.updates
        found = strongest(self._context, before, part, updates, most=_MODELS, proved=proved).value
        edge.kept = asked if found == part else None
        return found

    def _check(self, formulas: list[Term]) -> Outcome:
        self.questions += 1
        return self._context.check(formulas)

    def _can_meet(self, edge: ModularEdge) -> bool:
        """Whether threads can be at both places at once, as far as is seen at once: not if both hold a lock, or one
        and it is free, or a shared variable has other values."""
        one, other = edge.source, edge.target
        known = self._together.get((one, other))
        if known is None or known[:2] != (one.version, other.version):
            possible = not self.values.contradict(one.value, other.value)
            known = self._together[one, other] = (one.version, other.version, possible)
        return known[2]

    def of_actor(self, edge: ModularEdge, said: list[Term]) -> list[Term]:
        one = self._any.one(edge.letter.template)
        return said if edge.actor == one else self._any.renamed(said, (one,), (edge.actor,))

    def _near(self, edge: ModularEdge, names: Iterable[Term]) -> tuple[list[Term], Columns]:
        """What holds before the letter and has to do with it or the names, and the columns that this is about."""
        transition, target = edge.transition, edge.target
        near = [*self.of_actor(edge, edge.source.standing), transition.guard]
        far = self.of_actor(edge, edge.source.value.to_terms())
        far += [one for word in edge.words for one in self._if_free(word)]
        if edge.observed:
            near += target.standing
            far += target.value.to_terms()
            links = list[Term]()
        else:
            links = [] if target.value.is_bottom else target.value.to_terms()
        asked = [transition.guard, *transition.updates.values()]
        if target.word is not None:
            near += transition.after([self.values.is_free(target.word)])
            asked.append(near[-1])
        return self.closure(near, [*names, *asked], far, links)

    def closure(
        self, near: list[Term], asked: Iterable[Term], far: Iterable[Term], links: Iterable[Term] = ()
    ) -> tuple[list[Term], Columns]:
        """`near`, with what has to do with what is asked about, also by way of others; and the columns of all that.
        `links` only say which columns belong together."""
        near, about = list(near), {name for one in asked for name in self._names(one)}
        about |= {name for one in about & self.values.beside.keys() for name in self.values.beside[one]}
        given, todo = frozenset(far), dict.fromkeys((*far, *links))
        while found := [one for one in todo if not about.isdisjoint(self.values.support(one))]:
            near += [one for one in found if one in given]
            about.update(name for one in found for name in self._names(one))
            for one in found:
                del todo[one]
        mentioned = about.union(*map(self._names, near))
        return [*near, *(fact for fact in self._facts if self._names(fact) <= mentioned)], frozenset(about)

    def _if_free(self, word: Term) -> list[Term]:
        taken = self._terms.not_(self.values.is_free(word))
        return [self._terms.or_(taken, claim) for claim in self.free[word].value.to_terms()]

    def _names(self, formula: Term) -> frozenset[Term]:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return self._variables[formula]

    def _widen(self) -> bool:
        """Whether bounds of sums had to become wider."""
        before = self.sums.version
        for own in self.letters:
            node = self.nodes[own.letter.source]
            if not node.value.is_bottom and self.sums.concerns(own):
                self.sums.widen(own, partial(self.few_values, own.letter), partial(self._can_hold, node))
        self._facts = [*self._always, *self.sums.facts()]
        return self.sums.version != before

    def few_values(self, letter: Letter, variable: Term) -> Iterable[int]:
        """Values after the letter; at its end, what one step makes of those before."""
        if letter.target in self.nodes:
            return self.nodes[letter.target].value.values(variable)
        before = self.nodes[letter.source].value.values(variable)
        return [(value + step) % (1 << variable.width) for value in before for step in (-1, 0, 1)]

    # --- what may go wrong -------------------------------------------------------------------------------------------

    def _alarm(self) -> ModularAlarm | None:
        for letter in self._any.automaton.letters:
            node = self.nodes[letter.source]
            now = (node.version, self.sums.version, *(one.version for one in self.free.values()))
            if self._looked.get(letter) == now:
                continue
            self._looked[letter] = now
            trap = self.may_go_wrong(letter)
            if trap is not None or self.may_start_again(letter):
                return ModularAlarm(letter, trap)
        return None

    def may_go_wrong(self, letter: Letter) -> TransitionTrap | None:
        """A trap that the labels do not exclude."""
        node = self.nodes[letter.source]
        forbidden = [trap for trap in self._own(letter).traps if self._forbids(trap)]
        if node.value.is_bottom or not self._can_hold(node, self._terms.any(trap.condition for trap in forbidden)):
            return None
        return next((trap for trap in forbidden if self._can_hold(node, trap.condition)), forbidden[-1])

    def may_start_again(self, letter: Letter) -> bool:
        """Whether it may start a thread of which there is meant to be one, and there is one."""
        node = self.nodes[letter.source]
        new = self._any.starts(self._any.one(letter.template), letter)
        once = [self._space.threads[one].started for one in new if one.template not in self._any.many]
        return not node.value.is_bottom and any(self._can_hold(node, started) for started in once)

    def _can_hold(self, node: ModularNode, condition: Term) -> bool:
        """Whether there may be a thread there in a state in which this holds."""
        if condition.op is Op.FALSE:
            return False
        near, _ = self.closure([*node.standing, condition], [condition], self.label(node))
        return not isinstance(self._check(near), Unsat)
