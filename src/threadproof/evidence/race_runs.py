"""Random runs against a proof about races: nothing they do may contradict what it says.

Runs of the reference semantics. In every state on the way no two threads may be about to race, and every access to a
variable must be as the proof claims: under the lock it names, atomic, by one thread alone, or reading. Where it says
that nobody gets, nobody may get.
"""

from __future__ import annotations

import random
from typing import Any

from threadproof.core.budget import Budget
from threadproof.core.result import Proof
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


def contradiction(program: Program, proof: Proof, budget: Budget, seed: int = 0) -> str | None:
    """What a run did against the proof, or None."""
    watch = _Watch(program, proof)
    for run in range(RUNS):
        found = watch.run(random.Random(f"{seed} {run}"), budget)
        if found is not None or budget.left() <= 0:
            return found
    return None


class _Watch:
    def __init__(self, program: Program, proof: Proof) -> None:
        self._machine = Machine(program)
        self._constants = program_constants(program)
        self._unreached = frozenset[str](proof.facts["unreached"])
        self._claims: dict[str, list[dict[str, Any]]] = {}
        for claim in proof.facts["claims"]:
            self._claims.setdefault(claim["object"], []).append(claim)

    def run(self, chance: random.Random, budget: Budget) -> str | None:
        state = self._machine.initial()
        self._users: dict[tuple[str, int], int] = {}
        for _ in range(STEPS):
            steps = {number: self._step(state, number, chance) for number in live_threads(state)}
            race = first_race({n: accesses(getattr(o, "effects", ())) for n, o in steps.items()})
            if race is not None:
                return f"a run shows a race: {race[1].loc} and {race[3].loc}"
            moves = [(number, outcome) for number, outcome in steps.items() if isinstance(outcome, Moved)]
            if not moves or budget.left() <= 0:
                return None
            number, outcome = chance.choice(moves)
            for access in accesses(outcome.effects):
                found = self._against(state, number, access)
                if found is not None:
                    return found
            state = outcome.state
        return None

    def _step(self, state: State, number: int, chance: random.Random) -> Outcome:
        choices: tuple[int, ...] = ()
        while True:
            outcome = self._machine.step(state, number, choices)
            if not isinstance(outcome, Choose):
                return outcome
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
