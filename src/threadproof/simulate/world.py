"""What a session is about and never changes (`SimulatedProgram`), and what can be told about a state of it.

`statuses` asks the machine what every thread would do next, so that a person sees what a step will bring before
making it; nothing is kept, a step is a pure function.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.core.property import Property
from threadproof.core.schedule import Move
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import ThreadId, name, number
from threadproof.evidence.callers import with_program_lines
from threadproof.evidence.events import Narrator
from threadproof.ir.instr import HaltKind
from threadproof.report.lanes import quote
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.naming import Names
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Outcome,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Phase, State, live_threads
from threadproof.semantics.violations import accesses, first_race


class SimulatedProgram:
    """The machine, the property whose form of the program it runs, and ways to speak about both."""

    def __init__(self, machine: Machine, prop: Property) -> None:
        self.machine = machine
        self.property = prop
        self.narrator = Narrator(machine)
        self.names: Names = self.narrator.names
        self.constants = program_constants(machine.program)

    @property
    def granularity(self) -> Granularity:
        return self.machine.granularity

    def memory(self, state: State) -> MemoryView:
        return MemoryView(self.machine.static.image, state)


class ThreadStanding(Enum):
    READY = "can step"
    ASKS = "asks"  # its step needs a value
    BLOCKED = "waits"
    STOPPED = "stopped"  # the execution is over
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Status:
    """One thread now: where it stands and what its next step would do."""

    thread: ThreadId
    number: int
    standing: ThreadStanding
    says: str
    function: str
    loc: SourceLoc


def where(world: SimulatedProgram, state: State, key: int) -> tuple[str, SourceLoc]:
    """The function and source line a thread stands at: the innermost of its calls that has a line."""
    for depth, frame in enumerate(reversed(state.threads[key].frames)):
        pc = frame.pc if depth == 0 else frame.pc - 1
        code = world.machine.static.codes[frame.function]
        loc = code.instrs[pc].loc
        if loc.line and not loc.file.startswith("<"):
            return frame.function, loc
        if depth == 0 and code.function.loc.line and not code.function.loc.file.startswith("<"):
            return frame.function, code.function.loc
    return "", NOWHERE


def statuses(world: SimulatedProgram, state: State, ended: bool = False) -> list[Status]:
    """All threads, main first. After the end of the program no thread moves; blocked ones are shown as blocked."""
    return [_status(world, state, key, ended) for key in sorted(state.threads)]


def _status(world: SimulatedProgram, state: State, key: int, ended: bool) -> Status:
    thread = state.threads[key]
    function, loc = where(world, state, key)
    if thread.phase is Phase.FINISHED:
        return Status(thread.id, key, ThreadStanding.FINISHED, "finished", "", NOWHERE)
    outcome = world.machine.step(state, key)
    match outcome:
        case Blocked():
            standing, says = ThreadStanding.BLOCKED, waiting(world, state, key, outcome)
        case _ if ended:
            standing, says = ThreadStanding.STOPPED, ""
        case Choose():
            standing, says = ThreadStanding.ASKS, f"needs a value: {asked(outcome)}"
        case _:
            standing, says = ThreadStanding.READY, _preview(world, state, thread.id, outcome)
    return Status(thread.id, key, standing, says, function, loc)


def _preview(world: SimulatedProgram, state: State, thread: ThreadId, outcome: Outcome) -> str:
    """What the next step would do, in few words."""
    events = world.narrator.step(state, Move(thread), outcome).events
    said = [event.text for event in events[:2]] + (["..."] if len(events) > 2 else [])
    if not isinstance(outcome, Moved):
        said.append(ending(world, state, outcome))
    return "next: " + ("; ".join(said) or quiet(world, state, number(thread)))


def quiet(world: SimulatedProgram, state: State, thread: int) -> str:
    """A private step in words: the source line it belongs to, where steps are single instructions."""
    found = world.machine.next_instr(state, thread)
    text = "" if found is None or world.granularity is Granularity.VISIBLE else quote(found[1].loc)
    return f"a local step of: {text}" if text else "a local step"


def waiting(world: SimulatedProgram, state: State, key: int, blocked: Blocked) -> str:
    """`waits for mutex m, held by T2`"""
    if blocked.operation == "atomic block":
        holder = state.threads[state.atomic].id if state.atomic is not None else ()
        return f"waits: {name(holder)} is inside an atomic block"
    if blocked.operation == "finished thread":
        return "has finished"
    who = name(state.threads[key].id)
    said = world.narrator.waits_for(state, key, blocked)
    return said.removeprefix(f"{who} ").removesuffix(f" at {blocked.loc}")


def asked(question: Choose) -> str:
    return f"{question.source}, {question.low} to {question.high}"


def ending(world: SimulatedProgram, state: State, outcome: Outcome) -> str:
    """What ended the execution, as a sentence."""
    match outcome:
        case Failed():
            return f"{outcome.message} at {outcome.loc}"
        case UndefinedBehaviour():
            detail = f" ({outcome.detail})" if outcome.detail else ""
            return f"undefined behaviour: {outcome.kind.value}{detail} at {outcome.loc}"
        case AssumptionFailed():
            return f"the assumption at {outcome.loc} does not hold: this execution does not count"
        case Stuck():
            return f"stuck for ever inside an atomic block at {outcome.loc}"
        case NotSupported():
            return f"not supported: {outcome.construct} at {outcome.loc}"
        case Finished(kind=HaltKind.RETURN):
            return "main returns: the program ends"
        case Finished(kind=HaltKind.ABORT):
            return f"abort at {outcome.loc}"
        case Finished():
            return f"exit at {outcome.loc}" if outcome.loc.line else "the last thread ends: the program ends"
        case Moved() | Blocked() | Choose():
            return ""


def deadlock(world: SimulatedProgram, state: State, first: int) -> str:
    """A sentence if no thread can move; `first` is asked first, because it most likely can."""
    threads = sorted(live_threads(state), key=lambda key: key != first)
    waits: list[str] = []
    for key in threads:
        outcome = world.machine.step(state, key)
        if not isinstance(outcome, Blocked):
            return ""
        waits.append(f"{name(state.threads[key].id)} {waiting(world, state, key, outcome)}")
    return "deadlock: " + "; ".join(sorted(waits)) if waits else ""


def race(world: SimulatedProgram, state: State) -> str:
    """A sentence if two threads are about to make conflicting accesses."""
    machine = with_program_lines(world.machine)
    footprints = {
        key: found
        for key in live_threads(state)
        if not isinstance(outcome := machine.step(state, key), Blocked | Choose)
        and (found := accesses(outcome.effects))
    }
    found = first_race(footprints)
    if found is None:
        return ""
    a, first, b, second = found
    place, _ = world.names.place(state, first.address)
    sides = [
        f"{name(state.threads[key].id)} {'reads' if access.kind.value == 'read' else 'writes'} it at {access.loc}"
        for key, access in ((a, first), (b, second))
    ]
    return f"data race on {place}: {sides[0]}, {sides[1]}, in either order"
