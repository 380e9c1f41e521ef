"""The exact probability of a query on a small program: the whole distribution over states, moved step by step.

What sampling estimates, this computes: the mass of every state is divided among the active threads. The oracle for
samplers and splitting, for programs with few states per step.

    python -m threadproof.dev.exact FILE QUERY [-DNAME=VALUE]...
"""

from __future__ import annotations

import argparse
from typing import Any

from threadproof.core.errors import InputError
from threadproof.dev.command import end
from threadproof.engines.smc.language.evaluate import holds
from threadproof.engines.smc.language.goal import PathFormula, resolve_query, terms
from threadproof.engines.smc.language.syntax import PathKind
from threadproof.engines.smc.sampling.reference import instruction_machine
from threadproof.ir.program import Program, Taken
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose, Moved, NotSupported, Outcome
from threadproof.semantics.state import State, live_threads

MAX_VALUES = 64  # of a choice


def exact_probability(program: Program, query: str) -> float:
    """Of a query `Pr[<=N] (<> b)` or `Pr[<=N] (a U b)`."""
    goal = resolve_query(program, query)
    formula = goal.question
    if not isinstance(formula, PathFormula) or formula.kind is PathKind.GLOBALLY:
        raise InputError("only Pr[<=N] (<> b) and Pr[<=N] (a U b) are computed exactly")
    machine = instruction_machine(program, terms(formula))
    wanted = holds(machine, formula.goal)
    keep = None if formula.keep is None else holds(machine, formula.keep)
    first = machine.initial()
    waiting: dict[Any, tuple[State, float]] = {first.key(): (first, 1.0)}
    satisfied = 0.0
    for step in range(goal.steps + 1):
        following: dict[Any, tuple[State, float]] = {}
        for state, mass in waiting.values():
            if wanted(state):
                satisfied += mass
            elif (keep is None or keep(state)) and step < goal.steps:
                for successor, share in _successors(machine, state):
                    key = successor.key()
                    before = following.get(key)
                    following[key] = (successor, share * mass + (before[1] if before else 0.0))
        waiting = following
        if not waiting:
            break
    return satisfied


def _successors(machine: Machine, state: State) -> list[tuple[State, float]]:
    candidates = [state.atomic] if state.atomic is not None else live_threads(state)
    active = [outcomes for number in candidates if (outcomes := _outcomes(machine, state, number))]
    return [
        (outcome.state, share / len(active))
        for outcomes in active
        for outcome, share in outcomes
        if isinstance(outcome, Moved)
    ]


def _outcomes(machine: Machine, state: State, number: int) -> list[tuple[Outcome, float]]:
    """Every way the thread can make its step, with its probability; none if it is blocked."""
    found: list[tuple[Outcome, float]] = []
    todo: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while todo:
        choices, share = todo.pop()
        outcome = machine.step(state, number, choices)
        match outcome:
            case Blocked():
                return []
            case NotSupported():
                raise InputError(f"unsupported: {outcome.construct} at {outcome.loc}")
            case Choose():
                count = outcome.high - outcome.low + 1
                if count > MAX_VALUES:
                    raise InputError(
                        f"{outcome.source} has {count:,} values, more than the {MAX_VALUES} this computes with: "
                        "estimate the probability with `threadproof smc`"
                    )
                todo.extend(((*choices, value), share / count) for value in range(outcome.low, outcome.high + 1))
            case _:
                found.append((outcome, share))
    return found


def main() -> None:
    from threadproof.frontend import FrontendOptions, load
    from threadproof.passes.pipeline import instruction_form

    parser = argparse.ArgumentParser(
        description="Print the exact probability of a query on a small program, as one number."
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("query", metavar="QUERY", help="Pr[<=N] (<> b) or Pr[<=N] (a U b)")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    options = FrontendOptions(defines=tuple(asked.defines), undefined=Taken.PURE)
    print(exact_probability(instruction_form(load([asked.file], options)), asked.query))


if __name__ == "__main__":
    end(main)
