"""Undefined behaviour that was met: which property asks about it, and a run that shows it."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.trace import Trace
from threadproof.evidence.replay import Replay, Replayed, Sought, machine_for
from threadproof.evidence.walks import Walks
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Program
from threadproof.semantics.outcome import UndefinedBehaviour
from threadproof.semantics.violations import forbidden, of_outcome


def asked_by(trace: Trace) -> str:
    """What to ask in order to have the undefined behaviour at the end of the trace as a violation."""
    for kind in UndefinedKind:
        if trace.cause.startswith(f"undefined behaviour: {kind.value}"):
            properties = [prop for prop in Property if kind in forbidden(prop)]
            if properties:
                return f"the trace leads to undefined behaviour; -p {properties[0]} asks about it"
    return "the trace leads to undefined behaviour, which no property asks about"


def undefined_run(
    program: Program, prop: Property, model: MemoryModel, met: Schedule | None, budget: Budget, seed: int
) -> Replayed | None:
    """The run that an engine has kept, or one that random runs show."""
    replay = Replay(machine_for(program, prop, model), prop, Sought.UNDEFINED)
    if met is not None:
        return replay.run(met)
    walks = Walks(machine_for(program, prop, model), seed)
    while budget.left() > 0:
        moves: list[Move] = []
        for made in walks.next():
            moves.append(made.move)
            if isinstance(made.outcome, UndefinedBehaviour) and of_outcome(prop, made.outcome) is None:
                return replay.run(tuple(moves))
            if budget.left() <= 0:
                break
        if not walks.differ:
            break
    return None
