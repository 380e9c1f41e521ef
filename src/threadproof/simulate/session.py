"""A session as pure values: positions linked back to the start, and a session that points at one of them.

Nothing here changes anything: a command makes a new session out of an old one, so stepping back is having kept the
old one. Positions share what they have in common, so unlimited history costs one state's difference per step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import MAIN, ThreadId, name, number
from threadproof.core.trace import TraceStep
from threadproof.semantics.outcome import Blocked, Choose, Finished, Happening, Moved, Outcome, Telling
from threadproof.semantics.state import State
from threadproof.simulate.world import SimulatedProgram, asked, deadlock, ending, waiting


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SessionPosition:
    """A moment of the execution, and how it came about. Links are followed, never compared."""

    state: State
    count: int = 0  # steps since the start
    before: SessionPosition | None = None
    move: Move | None = None
    done: TraceStep | None = None
    end: str = ""  # what ended the execution here, as a sentence
    touched: frozenset[tuple[int, str]] = frozenset()  # sync objects used so far: address, operation

    def back(self) -> Iterator[SessionPosition]:
        """This position and the ones before it, without the start."""
        here = self
        while here.before is not None:
            yield here
            here = here.before

    def schedule(self) -> Schedule:
        moves = [position.move for position in self.back()]
        return tuple(move for move in reversed(moves) if move is not None)


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A step that cannot be made before a value is chosen."""

    thread: ThreadId
    answers: tuple[int, ...]
    choose: Choose

    def __str__(self) -> str:
        return f"{name(self.thread)} needs a value at {self.choose.loc}: {asked(self.choose)}"


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    world: SimulatedProgram
    here: SessionPosition
    focus: ThreadId = MAIN  # the thread that `step` moves
    ahead: Schedule = ()  # what `next` does: the rest of a loaded schedule, or what was stepped back over
    goal: str = ""  # what the loaded schedule is known to end in
    seed: int = 0
    asking: OpenChoice | None = None
    watches: tuple[str, ...] = ()
    said: str = ""  # the last command's answer
    previous: Session | None = None  # before the last command

    @property
    def state(self) -> State:
        return self.here.state


Refusal = str
"""Why a command did nothing."""


def begin(world: SimulatedProgram, ahead: Schedule = (), goal: str = "", seed: int = 0) -> Session:
    return Session(world, SessionPosition(world.machine.initial()), ahead=ahead, goal=goal, seed=seed)


def advance(session: Session, move: Move) -> Session | Refusal:
    """One step of one thread. A question it leads to is part of the session, not a step."""
    if session.here.end:
        return f"the execution has ended ({session.here.end}): `back` steps back"
    mover = number(move.thread)
    if mover not in session.state.threads:
        return f"there is no thread {name(move.thread)} now"
    outcome = session.world.machine.step(session.state, mover, move.choices)
    match outcome:
        case Blocked():
            return f"{name(move.thread)} {waiting(session.world, session.state, mover, outcome)}"
        case Choose():
            return replace(session, focus=move.thread, asking=OpenChoice(move.thread, move.choices, outcome))
        case _:
            here = _after(session.world, session.here, move, outcome)
            planned = session.ahead[:1] == (move,)  # doing something else leaves the plan
            ahead, goal = (session.ahead[1:], session.goal) if planned else ((), "")
            return replace(session, here=here, focus=move.thread, asking=None, ahead=ahead, goal=goal)


def _after(world: SimulatedProgram, here: SessionPosition, move: Move, outcome: Outcome) -> SessionPosition:
    done = world.narrator.step(here.state, move, outcome)
    effects = () if isinstance(outcome, Blocked | Choose) else outcome.effects
    used = {(e.address, e.text) for e in effects if isinstance(e, Happening) and e.kind is Telling.SYNC and e.address}
    touched = here.touched if used <= here.touched else here.touched | used
    if isinstance(outcome, Moved | Finished):
        state = outcome.state
    else:
        state = here.state
    if isinstance(outcome, Moved):
        end = deadlock(world, state, number(move.thread))
    else:
        end = ending(world, here.state, outcome)
    return SessionPosition(state, here.count + 1, here, move, done, end, touched)


def retreat(session: Session, steps: int) -> Session | Refusal:
    """Back `steps` steps; `next` would make them again."""
    here, ahead = session.here, list[Move]()
    while len(ahead) < steps and here.before is not None:
        assert here.move is not None
        ahead.append(here.move)
        here = here.before
    if not ahead:
        return "this is the start" if session.asking is None else replace(session, asking=None)
    focus = ahead[-1].thread
    return replace(session, here=here, focus=focus, ahead=(*reversed(ahead), *session.ahead), asking=None)
