"""Refinement over the reduced automaton: paths of source sets are refuted one by one, until none is left.

Letters at a node are made thread by thread as Source-DPOR says: one thread at first, another when a letter is met
further on that is in a race with one made here. A path to something that goes wrong is checked: it can be made, or its
assertions become a Floyd-Hoare automaton, and the search begins again with one more. When no path is left, the letters
that source sets left out are made as well: all of them that are not asleep. What they lead to is mostly asleep, or a
dead end; but with them the graph is a reduced product with sleep sets, whose proof passes the checker by itself.

Paper: M. Pigram, Skink, 2016, algorithm 1 (trace generating Source-DPOR, after P. A. Abdulla, S. Aronis, B. Jonsson, K.
Sagonas, POPL 2014) and figure 2.2 (after F. Cassez, F. Ziegler, LPAR 2015). Differs: nodes with the same places,
assertion and sleeping letters are one node, also in loops, which the thesis leaves open. Source sets are therefore only
a strategy here: which paths are looked at first. The proof does not rest on them.
Invariants: letters at a node are kept in the order in which they were made, and one sleeps behind another only if it
was made before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from threadproof.abstraction.alarms import Refinement
from threadproof.abstraction.dead_ends import DeadEnds, threads_inside
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.membranes import Membrane
from threadproof.abstraction.possible_path import PossiblePath
from threadproof.abstraction.product_proof import KeptNode, product_proof, reached
from threadproof.abstraction.reduced_product import PlacedLetter, ProductPlace, ProductReduction
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.told_invariants import invariants
from threadproof.automaton import Instance
from threadproof.core.proofs import ReducedProduct
from threadproof.encoding.transitions import Transition
from threadproof.engines.trace.floyd_hoare import Assertion, FloydHoareAutomata
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.swaps import Swaps

TRIES = 3
"""At one path: where solvers are short of time, they may know more the next time."""


class PathReduction(Enum):
    SOURCE = "path by path"
    NONE = "path by path, equivalent ones too"


@dataclass(slots=True, eq=False)
class AssertedPlace:
    at: ProductPlace
    assertion: Assertion
    letters: list[PlacedLetter]  # that are awake; those that were made come first, in their order
    dead: Membrane | None
    membrane: Membrane | None
    edges: list[AssertedPlace | None] = field(default_factory=list["AssertedPlace | None"])  # None: it cannot be made
    backtrack: set[Instance] = field(default_factory=set[Instance])

    def next(self, threads: Iterable[Instance]) -> int | None:
        """The place of a letter of these threads that was not made."""
        wanted = set(threads)
        made = len(self.edges)
        return next((n for n in range(made, len(self.letters)) if self.letters[n].letter.instance in wanted), None)


@dataclass(frozen=True, slots=True)
class _ErrorPath:
    steps: tuple[tuple[AssertedPlace, PlacedLetter], ...]
    end: AssertedPlace
    last: PlacedLetter  # goes wrong


class PathSearch:
    """For what may go wrong in one thread."""

    def __init__(
        self,
        reduction: ProductReduction,
        how: PathReduction,
        goal: ThreadGoal,
        swaps: Swaps,
        dead_ends: DeadEnds,
        refinement: Refinement,
    ) -> None:
        self._reduction = reduction
        self._product: ThreadProduct = reduction.product
        self._how = how
        self._goal = goal
        self._swaps = swaps
        self._dead_ends = dead_ends
        self._refinement = refinement
        self._automata = FloydHoareAutomata(self._product, refinement.triples)
        self._nodes: dict[tuple[ProductPlace, Assertion], AssertedPlace] = {}
        self._traps: dict[PlacedLetter, Transition] = {}
        self._refuted: Counter[tuple[InstanceLetter, ...]] = Counter()
        self._root: AssertedPlace | None = None

    def run(self, stop: Callable[[], None]) -> PossiblePath | str | None:
        """None: nothing goes wrong. A reason, if that is not known. `stop` may raise: then it may be run again, and
        goes on with the automata that it has."""
        while True:
            path = self._search(stop)
            if path is None:
                return None
            word = (*(one.letter for _, one in path.steps), path.last.letter)
            self._refuted[word] += 1
            if self._refuted[word] > TRIES:
                return "no assertions are known that exclude a path which cannot be made"
            if self._refuted[word] > 1:
                self._automata.ask_again()
            places = [*(node.at.places for node, _ in path.steps), path.end.at.places]
            learned = self._refinement.refute([one for _, one in path.steps], places, path.last)
            if isinstance(learned, PossiblePath):
                return learned
            self._automata.add(dict.fromkeys(term for _, term in learned))

    def counts(self) -> dict[str, int]:
        return {"path_nodes": len(self._nodes), "automata": len(self._automata), "paths": len(self._refuted)}

    def _search(self, stop: Callable[[], None]) -> _ErrorPath | None:
        self._nodes.clear()
        self._root = root = self._node(self._reduction.first(), self._automata.initial())
        if self._how is PathReduction.SOURCE:
            found = self._by_source_sets(root, stop)
            if found is not None:
                return found
        return self._everything(root, stop)

    # --- algorithm 1 -------------------------------------------------------------------------------------------------

    def _by_source_sets(self, root: AssertedPlace, stop: Callable[[], None]) -> _ErrorPath | None:
        path: list[tuple[AssertedPlace, PlacedLetter]] = []
        stack = [root]
        entered: set[AssertedPlace] = set()
        while stack:
            stop()
            node = stack[-1]
            if node not in entered:
                entered.add(node)
                last = self._goes_wrong(node)  # l. 2
                if last is not None:
                    return _ErrorPath(tuple(path), node, last)
                node.backtrack.update(one.letter.instance for one in node.letters[:1])  # l. 3 and 4
            number = None if node.dead is not None else node.next(node.backtrack)  # l. 5
            if number is None:
                stack.pop()
                del path[-1:]
                continue
            made = node.letters[number]
            self._plan(path, made)
            target = self._make(node, number)
            if target is not None and target not in entered:
                path.append((node, made))
                stack.append(target)
        return None

    def _plan(self, path: Sequence[tuple[AssertedPlace, PlacedLetter]], next_one: PlacedLetter) -> None:
        """L. 6 to 11: letters of the path that are in a race with this one. Its thread stood there as long as it made
        none of them."""
        t = next_one.letter
        for index in range(len(path) - 1, -1, -1):
            node, made = path[index]
            if made.letter.instance == t.instance or all(one != t.instance for one, _ in node.at.places.threads):
                return
            if self._depend(made.letter, t):
                between = [one.letter for _, one in path[index + 1 :]]
                candidates = {one.instance for one in self._initials(made.letter, [*between, t])}
                if candidates.isdisjoint(node.backtrack):
                    node.backtrack.add(t.instance)

    def _initials(self, r: InstanceLetter, between: Sequence[InstanceLetter]) -> Iterator[InstanceLetter]:
        """Of the letters that do not depend on `r` (NOTDEP): those without a predecessor among them. The last one is in
        a race with it."""
        kept: list[InstanceLetter] = []
        after = [r]
        for number, one in enumerate(between):
            if number < len(between) - 1 and any(self._depend(earlier, one) for earlier in after):
                after.append(one)
                continue
            if not any(self._depend(earlier, one) for earlier in kept):
                yield one
            kept.append(one)

    def _depend(self, a: InstanceLetter, b: InstanceLetter) -> bool:
        return a.instance == b.instance or not (self._swaps.may_drop(a, b) and self._swaps.may_drop(b, a))

    # --- the rest ----------------------------------------------------------------------------------------------------

    def _everything(self, root: AssertedPlace, stop: Callable[[], None]) -> _ErrorPath | None:
        came: dict[AssertedPlace, tuple[AssertedPlace, PlacedLetter] | None] = {root: None}
        todo = [root]
        while todo:
            stop()
            node = todo.pop()
            last = self._goes_wrong(node)
            if last is not None:
                return _ErrorPath(tuple(_way(came, node)), node, last)
            if node.dead is not None:
                continue
            while len(node.edges) < len(node.letters):
                self._make(node, len(node.edges))
            for one, target in zip(node.letters, node.edges, strict=True):
                if target is not None and target not in came:
                    came[target] = (node, one)
                    todo.append(target)
        return None

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, at: ProductPlace, assertion: Assertion) -> AssertedPlace:
        found = self._nodes.get((at, assertion))
        if found is None:
            dead = self._dead_ends.at(at.places, at.asleep, self._product.known(at.places)) if at.asleep else None
            letters, membrane = self._reduction.letters_inside(at)
            found = self._nodes[at, assertion] = AssertedPlace(at, assertion, letters, dead, membrane)
        return found

    def _make(self, node: AssertedPlace, number: int) -> AssertedPlace | None:
        """The letter with this number becomes the last one that was made."""
        made = len(node.edges)
        node.letters.insert(made, node.letters.pop(number))
        one = node.letters[made]
        assertion = self._automata.after(node.assertion, node.at.places, one.action.transition)
        target = None
        if assertion is not None:
            at = self._reduction.after(node.at, made, node.letters, ())
            if self._how is PathReduction.NONE:
                at = replace(at, asleep=frozenset[InstanceLetter]())
            target = self._node(at, assertion)
        node.edges.append(target)
        return target

    def _goes_wrong(self, node: AssertedPlace) -> PlacedLetter | None:
        """A letter there that may, as far as the assertion says."""
        if node.dead is not None:
            return None
        for one in node.letters:
            if self._goal.traps(one.action):
                trap = self._traps.get(one)
                if trap is None:
                    traps = (*one.action.violations, *one.action.others)
                    trap = self._traps[one] = replace(one.action.transition, traps=traps)
                if not self._automata.excludes(node.assertion, node.at.places, trap):
                    return one
        return None

    # --- the proof ---------------------------------------------------------------------------------------------------

    def proof(self, dropped: Iterable[str]) -> ReducedProduct:
        assert self._root is not None
        kept = reached(self._root, _following)
        numbers = {node: number for number, node in enumerate(kept)}
        nodes = [self._kept(node, numbers) for node in kept]
        told = invariants(
            self._product,
            ((one.at.places, self._automata.label(one.assertion)) for one in kept if one.dead is None),
        )
        return product_proof(
            self._product, nodes, self._goal.thread, self._how.value, self._product.most, dropped, told
        )

    def _kept(self, node: AssertedPlace, numbers: Mapping[AssertedPlace, int]) -> KeptNode:
        terms, known = self._product.terms, dict(self._product.known(node.at.places))
        known.update(() if node.dead is None else node.dead.knowing)
        said = [] if node.dead is not None else self._automata.label(node.assertion)
        label = terms.all((*(terms.eq(v, value) for v, value in known.items()), *said))
        targets = (() if to is None else (numbers[to],) for to in node.edges)
        letters = (one.letter for one in node.letters)
        ways = [] if node.dead is not None else list(zip(letters, targets, strict=True))
        return KeptNode(label, ways, node.at.asleep, threads_inside(node.dead or node.membrane))


def _following(node: AssertedPlace) -> Iterable[AssertedPlace | None]:
    return node.edges if node.dead is None else []


def _way(
    came: Mapping[AssertedPlace, tuple[AssertedPlace, PlacedLetter] | None], node: AssertedPlace
) -> list[tuple[AssertedPlace, PlacedLetter]]:
    steps: list[tuple[AssertedPlace, PlacedLetter]] = []
    step = came[node]
    while step is not None:
        steps.append(step)
        step = came[step[0]]
    return steps[::-1]
