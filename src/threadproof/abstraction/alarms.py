"""What an alarm teaches: a path to it that cannot be made gives predicates, which are offered as literals.

Paper: M. Heizmann, J. Hoenicke, A. Podelski, Refinement of Trace Abstraction, SAS 2009. Differs: the assertions along
the refuted path are not an automaton of their own; the fixpoint tries them at all nodes, and keeps what is inductive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from threadproof.abstraction.labelled_product import Alarm, Fixpoint
from threadproof.abstraction.path import LetterPath, PathStep
from threadproof.abstraction.possible_path import PossiblePath, possible_path, to_trap
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.reduced_product import PlacedLetter
from threadproof.abstraction.sequence import Assertions, NoAssertions, prove
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.sources.preconditions import Preconditions
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.trace_check import Feasible, Infeasible, TraceCheck
from threadproof.abstraction.triples import Triples
from threadproof.automaton import Places
from threadproof.encoding.transitions import TransitionTrap
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term

Learned = list[tuple[Places, Term]]
SOURCES = (SourceName.WP, SourceName.SP, SourceName.BITS)


class Refinement:
    def __init__(self, product: ThreadProduct, context: Context) -> None:
        self._product = product
        self._check = TraceCheck(product.space, context)
        self.predicates = Predicates(context)
        self.triples = Triples(self.predicates, product.space.facts())
        self._refiner = Refiner(product.space, self.triples, SOURCES)

    def learn(
        self, fixpoint: Fixpoint, alarm: Alarm, before: Sequence[tuple[Places, PlacedLetter]] = ()
    ) -> Learned | PossiblePath:
        """Assertions along a path to the alarm, with the places where they hold; none if no source has some. What else
        may go wrong at its end is asked about at once. `before` leads to where the fixpoint starts."""
        steps = [*before, *((node.at.places, letter) for node, letter in fixpoint.path_to(alarm.node))]
        places = [*(at for at, _ in steps), alarm.node.at.places]
        letters = [letter for _, letter in steps]
        learned: dict[tuple[Places, Term], None] = {}
        others = [one for one in alarm.node.letters if one is not alarm.letter and fixpoint.goal.traps(one.action)]
        for last in (alarm.letter, *others):
            found = self.refute(letters, places, last)
            if isinstance(found, PossiblePath):
                return found
            learned.update(dict.fromkeys(found))
        return list(learned)

    def refute(
        self, letters: Sequence[PlacedLetter], places: Sequence[Places], last: PlacedLetter
    ) -> Learned | PossiblePath:
        """Of the path of these letters, on which the last one goes wrong. `places` are before each, and before it."""
        path = self._path(letters, last, (*last.action.violations, *last.action.others))
        found = self._check.check(path)
        if isinstance(found, Feasible):
            return possible_path(self._check, path, found, last.action.violations)
        return list(self._along(path, places, found)) if isinstance(found, Infeasible) else []

    def _along(self, path: LetterPath, places: Sequence[Places], found: Infeasible) -> Iterator[tuple[Places, Term]]:
        for proved in self._assertions(path, found):
            if isinstance(proved, Assertions):
                for at, bits in zip(places, proved.between[:-1], strict=True):
                    said = self._product.terms.substitute(self.predicates.terms_of(bits), self._product.known(at))
                    yield from ((at, one) for one in said if one.op is not Op.TRUE)
                return

    def _assertions(self, path: LetterPath, found: Infeasible) -> Iterator[Assertions | NoAssertions]:
        """Of the core, which says more of other paths, too; if that is too little, of the whole path. Interpolants take
        long."""
        yield from (self._refiner.by(source, path, found.core) for source in SOURCES if source is not SourceName.BITS)
        whole = self._check.whole(path)
        yield self._refiner.by(SourceName.WP, path, whole)
        proposed = list(Preconditions(self._product.terms).predicates(path, whole))
        first = next((index for index, step in enumerate(path.steps) if step.transition.inputs), -1)
        proposed[: first + 1] = [[] for _ in range(first + 1)]  # inputs decide: before them, nothing needs to be known
        yield prove(self.triples, self._product.space.initial(), path, proposed)
        yield self._refiner.by(SourceName.BITS, path, found.core)

    def _path(
        self, letters: Sequence[PlacedLetter], last: PlacedLetter, traps: tuple[TransitionTrap, ...]
    ) -> LetterPath:
        return to_trap(LetterPath(tuple(map(self._step, (*letters, last)))), traps)

    def _step(self, one: PlacedLetter) -> PathStep:
        instance, letter, starts = one.letter
        return PathStep(instance, letter, starts, self._product.encoder.transition(instance, letter, starts))
