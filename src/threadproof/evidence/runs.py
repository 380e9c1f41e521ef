"""Random runs against a proof: nothing they do may contradict what it says.

Runs of the reference semantics, for any property and memory model. A proof that all runs keep the property is refuted
by one that violates it; where it also says that nothing undefined or unsupported is reached, by one that gets there.
A proof about races makes claims of its own: `race_claims`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import Proof, RaceProof
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import number as number_of
from threadproof.evidence.proofs.race_claims import Claims
from threadproof.evidence.replay import machine_for
from threadproof.evidence.walks import Made, Walks
from threadproof.ir.instr import Unsupported
from threadproof.ir.program import Program
from threadproof.semantics.leaks import allocates, bad_end, lost_block
from threadproof.semantics.outcome import Blocked, Moved, NotSupported, Outcome, UndefinedBehaviour
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import accesses, first_race, of_outcome, why_cut

RUNS = 500


@dataclass(frozen=True, slots=True)
class Contradiction:
    what: str
    schedule: Schedule  # to the state in which it shows


def contradiction(
    program: Program,
    prop: Property,
    proof: Proof | None,
    budget: Budget,
    model: MemoryModel = MemoryModel.SC,
    seed: int = 0,
) -> Contradiction | None:
    """What a run did against the proof, or None. A violation says more than a claim that does not hold. No proof: only
    the word that all runs keep the property."""
    runs = _Runs(program, prop, proof, model, seed)
    while runs.goes_on() and budget.left() > 0:
        violation = runs.run(budget)
        if violation is not None:
            return violation
    return runs.broken


class _Runs:
    def __init__(self, program: Program, prop: Property, proof: Proof | None, model: MemoryModel, seed: int) -> None:
        self._property = prop
        self._machine = machine_for(program, prop, model)
        self._walks = Walks(self._machine, seed)
        self._chance = random.Random(f"{seed} of others")
        self._allocates = allocates(program)
        self._claims = Claims(self._machine, proof) if isinstance(proof, RaceProof) else None
        self._unsupported = {(i.construct, i.loc) for i in program.instrs() if isinstance(i, Unsupported)}
        self._made = 0
        self.broken: Contradiction | None = None  # the first claim that did not hold

    def goes_on(self) -> bool:
        """Whether one more run may show something new."""
        return not self._made or (self._walks.differ and self._made < RUNS)

    def run(self, budget: Budget) -> Contradiction | None:
        """The violation it shows, if any."""
        self._made += 1
        moves: list[Move] = []
        last: Made | None = None
        if self._claims is not None:
            self._claims.begin()
        for made in self._walks.next():
            what = self._race(made.before) if self._property is Property.NO_DATA_RACE else None
            if what is not None:
                return Contradiction(what, tuple(moves))
            self._note_broken(made, tuple(moves))
            moves.append(made.move)
            last = made
            if budget.left() <= 0:
                break
        what = None if last is None else self._at_the_end(last)
        return None if what is None else Contradiction(what, tuple(moves))

    # --- violations ------------------------------------------------------------------------------------------------

    def _race(self, state: State) -> str | None:
        steps = {n: self._walks.step(state, n, self._chance).outcome for n in live_threads(state)}
        race = first_race({n: accesses(getattr(outcome, "effects", ())) for n, outcome in steps.items()})
        return None if race is None else f"a run shows a race: {race[1].loc} and {race[3].loc}"

    def _at_the_end(self, last: Made) -> str | None:
        """How the property is violated where a run has ended, or was left."""
        outcome = last.outcome
        violation = of_outcome(self._property, outcome)
        if violation is not None:
            return f"a run shows: {violation.cause}"
        state = getattr(outcome, "state", None) or last.before
        if any(thread.buffer for thread in state.threads.values()):
            return None
        if self._property is Property.NO_DEADLOCK and isinstance(outcome, Moved) and self._nobody_moves(state):
            return "a run ends in a deadlock"
        if self._allocates and self._loses(outcome):
            return "a run loses memory, or leaves some"
        return None

    def _nobody_moves(self, state: State) -> bool:
        return all(isinstance(self._machine.step(state, thread), Blocked) for thread in live_threads(state))

    def _loses(self, outcome: Outcome) -> bool:
        if isinstance(outcome, Moved):
            safety = self._property is Property.VALID_MEMSAFETY
            return safety and lost_block(self._machine, outcome.state) is not None
        return bad_end(self._machine, self._property, outcome) is not None

    # --- claims that do not hold -------------------------------------------------------------------------------------

    def _note_broken(self, made: Made, moves: Schedule) -> None:
        if self.broken is not None:
            return
        if self._claims is None:
            what = self._beyond(made.outcome)
        else:
            effects = getattr(made.outcome, "effects", ())
            what = self._claims.broken_by(made.before, number_of(made.move.thread), effects)
        if what is not None:
            self.broken = Contradiction(what, moves)

    def _beyond(self, outcome: Outcome) -> str | None:
        """What keeps `true` from being said: one who has looked at all runs has met it."""
        match outcome:
            case UndefinedBehaviour() if of_outcome(self._property, outcome) is None:
                return f"a run meets {why_cut(outcome)}"
            case NotSupported() if (outcome.construct, outcome.loc) in self._unsupported:
                return f"a run meets {why_cut(outcome)}"  # other outcomes of this kind are the reference's own limits
            case _:
                return None
