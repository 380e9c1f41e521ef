"""What threads hold at every location, as a fixpoint over letters; the checker of the proof draws the conclusions.

Paper: see `evidence/proofs/lock_order.py`, which has the argument. Here is the labelling alone: locks that a thread may
hold grow along letters, locks that it surely holds shrink, and so does what is known of its registers.
Invariants: never says Unsafe. Whether the labels exclude a deadlock is for the checker to say.
"""

from __future__ import annotations

from threadproof.analysis.points_to import analyse
from threadproof.automaton import CannotUnfold, Letter, LetterSize, Location, ProgramAutomaton, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import LockOrderProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown
from threadproof.engines.deadlocks.alternatives import Alternative, AtLocation, Implications
from threadproof.engines.deadlocks.holding import Holding, HoldingThread
from threadproof.engines.deadlocks.lock_uses import LockUses
from threadproof.engines.task import Task
from threadproof.ir.instr import Sync
from threadproof.ir.program import Program
from threadproof.smt.terms import Terms
from threadproof.sync.facts import sync_facts


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is not Property.NO_DEADLOCK:
        return Unknown(f"the engine deadlocks answers no-deadlock only, not {task.property}")
    observer.progress("unfolding the threads")
    try:
        automaton = program_automaton(task.program, size=LetterSize.SMALL)
    except CannotUnfold as obstacle:
        return Unknown(str(obstacle))
    labelling = _Labelling(task.program, automaton)
    if not labelling.run(budget):
        return Unknown("time")
    return Safe(labelling.proof(), {"locations": len(labelling.labels)})


class _Labelling:
    def __init__(self, program: Program, automaton: ProgramAutomaton) -> None:
        self._automaton = automaton
        self._terms = Terms()
        self._names = LockUses(automaton, analyse(program))
        self._implications = Implications(self._terms)
        self._holding = Holding(program, automaton, self._names, self._terms, self._implications)
        self.labels: dict[Location, AtLocation] = {}

    def run(self, budget: Budget) -> bool:
        """Whether there was time enough."""
        for name, thread in self._automaton.templates.items():
            self._at(thread.entry).add(Alternative(frozenset(), frozenset(), name == self._automaton.main))
            todo = {thread.entry: None}
            while todo:
                if budget.exhausted() is not None:
                    return False
                location = next(iter(todo))
                del todo[location]
                for letter in thread.letters_from(location):
                    for after in self._after(letter):
                        if self._at(letter.target).add(after):
                            todo[letter.target] = None
        return True

    def _at(self, location: Location) -> AtLocation:
        if location not in self.labels:
            orders = self._holding.orders(location)
            self.labels[location] = AtLocation(self._implications, orders)
        return self.labels[location]

    def _after(self, letter: Letter) -> list[Alternative]:
        found: list[Alternative] = []
        for one in list(self._at(letter.source).found):
            threads = [self._holding.begin(one)]
            for step in letter.steps:
                threads = [after for thread in threads for after in self._holding.step(step, thread)]
            found += [end for thread in threads if (end := self._holding.end(letter, thread)) is not None]
        return found

    # --- the proof ---------------------------------------------------------------------------------------------------

    def proof(self) -> LockOrderProof:
        held = (
            one.told(self._terms, at.template, at.number) for at, label in self.labels.items() for one in label.found
        )
        return LockOrderProof(tuple(held), tuple(sorted(self._order())))

    def _order(self) -> set[tuple[str, str, str]]:
        """For people."""
        found: set[tuple[str, str, str]] = set()
        for letter in self._automaton.letters:
            for one in self.labels[letter.source].found if letter.source in self.labels else ():
                threads: list[HoldingThread] = [self._holding.begin(one)]
                for step in letter.steps:
                    if isinstance(step.instr, Sync) and (facts := sync_facts(step.instr)).waits_for_lock is not None:
                        assert facts.locks is not None
                        names = self._names.of(step, step.instr.args[facts.locks.arg])
                        where = str(step.instr.loc)
                        found |= {(h, n, where) for thread in threads for h in thread.names for n in names}
                    threads = [after for thread in threads for after in self._holding.step(step, thread)]
        return found
