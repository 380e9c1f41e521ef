"""What an alarm teaches: a path to it that cannot be made gives predicates, which are offered as literals.

Paper: M. Heizmann, J. Hoenicke, A. Podelski, Refinement of Trace Abstraction, SAS 2009. Differs: the assertions along
the refuted path are not an automaton of their own; the fixpoint tries them at all nodes, and keeps what is inductive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadproof.abstraction.path import LetterPath, PathGoal, PathStep
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.sequence import Assertions
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.trace_check import Feasible, Infeasible, TraceCheck
from threadproof.abstraction.triples import Triples
from threadproof.automaton import Places
from threadproof.engines.trace.fixpoint import Alarm, Fixpoint
from threadproof.engines.trace.reduction import PlacedLetter
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term

Learned = list[tuple[Places, Term]]
SOURCES = (SourceName.WP, SourceName.SP)


@dataclass(frozen=True, slots=True)
class PossiblePath:
    """A path to something that goes wrong, and inputs with which it can be made."""

    path: LetterPath
    inputs: Feasible


class Refinement:
    def __init__(self, product: ThreadProduct, context: Context) -> None:
        self._product = product
        self._check = TraceCheck(product.space, context)
        self._predicates = Predicates(context)
        triples = Triples(self._predicates, product.space.facts())
        self._refiner = Refiner(product.space, triples, SOURCES)

    def learn(self, fixpoint: Fixpoint, alarm: Alarm) -> Learned | PossiblePath:
        """Assertions along a path to the alarm, with the places where they hold; none if no source has some. What else
        may go wrong at its end is asked about at once."""
        steps = fixpoint.path_to(alarm.node)
        places = [*(node.at.places for node, _ in steps), alarm.node.at.places]
        letters = [letter for _, letter in steps]
        learned: dict[tuple[Places, Term], None] = {}
        others = [one for one in alarm.node.letters if one is not alarm.letter and fixpoint.goal.traps(one.action)]
        for last in (alarm.letter, *others):
            path = self._path(letters, last)
            found = self._check.check(path)
            if isinstance(found, Feasible):
                return PossiblePath(path, found)
            if isinstance(found, Infeasible):
                learned.update(dict.fromkeys(self._along(path, places, found)))
        return list(learned)

    def _along(self, path: LetterPath, places: Sequence[Places], found: Infeasible) -> Iterator[tuple[Places, Term]]:
        for source in SOURCES:
            proved = self._refiner.by(source, path, found.core)
            if isinstance(proved, Assertions):
                for at, bits in zip(places, proved.between[:-1], strict=True):
                    said = self._product.terms.substitute(self._predicates.terms_of(bits), self._product.known(at))
                    yield from ((at, one) for one in said if one.op is not Op.TRUE)
                return

    def _path(self, letters: Sequence[PlacedLetter], last: PlacedLetter) -> LetterPath:
        steps = [self._step(one) for one in letters]
        action = last.action
        traps = (*action.violations, *action.others)
        end = self._step(last)
        wrong = replace(end.transition, traps=traps)
        return LetterPath((*steps, end._replace(transition=wrong)), PathGoal.TRAP)

    def _step(self, one: PlacedLetter) -> PathStep:
        instance, letter, starts = one.letter
        return PathStep(instance, letter, starts, self._product.encoder.transition(instance, letter, starts))
