"""Random runs against a proof about races: nothing they do may contradict what it says.

Runs of the reference semantics. In every state on the way no two threads may be about to race, and every access to a
variable must be as the proof claims: under the lock it names, atomic, by one thread alone, or reading. Where it says
that nobody gets, nobody may get.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from threadproof.core.budget import Budget
from threadproof.core.result import Proof
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import handle
from threadproof.core.thread_id import name as name_of
from threadproof.ir.program import Program
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Access, AccessKind, Choose, Moved, Outcome, Trap, Unsupportable
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import accesses, first_race

RUNS = 30
STEPS = 300


@dataclass(frozen=True, slots=True)
class Contradiction:
    what: str
    schedule: Schedule  # to the state in which it shows


def contradiction(program: Program, proof: Proof, budget: Budget, seed: int = 0) -> Contradiction | None:
    """What a run did against the proof, or None. A race says more than a claim that does not hold."""
    watch, race = _Watch(program, proof), None
    for run in range(RUNS):
        race = watch.run(random.Random(f"{seed} {run}"), budget)
        if race is not None or budget.left() <= 0:
            break
    return race or watch.broken


class _Watch:
    def __init__(self, program: Program, proof: Proof) -> None:
        self._machine = Machine(program)
        self.broken: Contradiction | None = None  # the first claim that did not hold
        self._constants = program_constants(program)
        self._unreached = frozenset[str](proof.facts["unreached"])
        self._claims: dict[str, list[dict[str, Any]]] = {}
        for claim in proof.facts["claims"]:
            self._claims.setdefault(claim["object"], []).append(claim)

    def run(self, chance: random.Random, budget: Budget) -> Contradiction | None:
        """The race it shows, if any."""
        moves: list[Move] = []
        state = self._machine.initial()
        self._users: dict[tuple[str, int], int] = {}
        for _ in range(STEPS):
            steps = {number: self._step(state, number, chance) for number in live_threads(state)}
            race = first_race({n: accesses(getattr(o, "effects", ())) for n, (o, _) in steps.items()})
            if race is not None:
                return Contradiction(f"a run shows a race: {race[1].loc} and {race[3].loc}", tuple(moves))
            movers = [(n, outcome, choices) for n, (outcome, choices) in steps.items() if isinstance(outcome, Moved)]
            if not movers or budget.left() <= 0:
                return None
            number, outcome, choices = chance.choice(movers)
            for access in accesses(outcome.effects) if self.broken is None else ():
                found = self._against(state, number, access)
                if found is not None:
                    self.broken = Contradiction(found, tuple(moves))
            moves.append(Move(state.threads[number].id, choices))
            state = outcome.state
        return None

    def _step(self, state: State, number: int, chance: random.Random) -> tuple[Outcome, tuple[int, ...]]:
        choices: tuple[int, ...] = ()
        while True:
            outcome = self._machine.step(state, number, choices)
            if not isinstance(outcome, Choose):
                return outcome, choices
            values, _ = values_to_try(outcome, self._constants)
            choices = (*choices, chance.choice(list(values)))

    def _against(self, state: State, number: int, access: Access) -> str | None:
        if str(access.loc) in self._unreached:
            return f"{name_of(state.threads[number].id)} reaches {access.loc}, which the proof says nobody does"
        view = MemoryView(self._machine.static.image, state)
        try:
            obj = view.find(access.address)
        except (Trap, Unsupportable):
            return None
        for claim in self._claims.get(obj.name, ()):
            offset = access.address - obj.start
            if _covers(claim, offset, access.size) and not self._holds(view, state, number, access, claim, offset):
                who = name_of(state.threads[number].id)
                return f"{who} at {access.loc} contradicts the claim: {claim['object']} {claim['says']}"
        return None

    def _holds(
        self, view: MemoryView, state: State, number: int, access: Access, claim: dict[str, Any], offset: int
    ) -> bool:
        match claim["kind"]:
            case "read":
                return access.kind is AccessKind.READ
            case "atomic":
                return access.atomic
            case "thread":
                return self._users.setdefault((claim["object"], claim["start"]), number) == number
            case _:
                return self._held(view, handle(state.threads[number].id), claim)

    def _held(self, view: MemoryView, me: int, claim: dict[str, Any]) -> bool:
        """Owner of a mutex or spin lock, writer of a read-write lock, or one of its readers."""
        address = self._machine.layout.globals[claim["lock"]] + claim["lock_offset"]
        first, second = view.peek_word(address, 32), view.peek_word(address + 4, 32)
        return me in (first, second) or (claim["shared"] and first > 0)


def _covers(claim: dict[str, Any], offset: int, size: int) -> bool:
    start, stride, width = claim["start"], claim["stride"], claim["size"]
    apart = offset - start
    if stride:
        apart %= stride
        return apart < width or stride - apart < size
    return -size < apart < width
