"""Concrete states by the thousand: runs of the native machine, stopped wherever they are.

A batch of runs costs less than one run of letters, and leads far into loops. A run stops between any two instructions,
a thread stands at a location only between letters: so every thread goes on by itself until it stands at one.

What is read are registers and single words of global memory, as numbers: addresses and the states of threads have
numbers of the formulas' own. Nothing here is trusted: what is seen in runs is only ever a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from threadproof.abstraction.runs import ConcreteState
from threadproof.automaton import End, Instance, LetterPhase, Location, Places
from threadproof.automaton.letters import Context
from threadproof.codegen.runs.batch import BatchOptions, Finals, ThreadLimit, WideValues
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import NativeMoved, OutcomeKind
from threadproof.codegen.runs.schedulers import Uniform
from threadproof.core.errors import ThreadproofError
from threadproof.encoding.transitions import Space
from threadproof.ir.control_flow import Site, control_flow
from threadproof.ir.program import Spurious
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Choose
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Frame, Phase, State, Thread

LENGTHS = (16, 64, 256, 1024, 4096)  # instructions, of so many runs each:
RUNS = 24
SETTLING = 60  # instructions of a thread until it stands at a location

_Standing = frozenset[tuple[Instance, Location]]
_Key = tuple[Context, Site, int, LetterPhase]


class NativeRuns:
    """Begun when they are first asked for: the machine has to be compiled."""

    def __init__(self, space: Space, seed: int = 0) -> None:
        self._space = space
        self._seed = seed
        self._sites = {name: control_flow(f).sites for name, f in space.program.functions.items()}
        self._words = space.global_words()
        self._several = {one.template for one in space.instances if one.number}
        self._seen: dict[_Standing, list[ConcreteState]] | None = None

    def at(self, places: Places) -> Sequence[ConcreteState]:
        """States in which the threads that have not ended stand like this."""
        if self._seen is None:
            self._seen = {}
            for standing, state in self._states():
                self._seen.setdefault(standing, []).append(state)
        live = ((one, location) for one, location in places.threads if not isinstance(location.at, End))
        return self._seen.get(frozenset(live), ())

    # --- runs --------------------------------------------------------------------------------------------------------

    def _states(self) -> Iterator[tuple[_Standing, ConcreteState]]:
        try:
            machine = NativeMachine(self._space.program, Granularity.INSTRUCTION, Spurious.ON)
        except ThreadproofError:  # not every program has one
            return
        self._reference = Machine(self._space.program, Granularity.INSTRUCTION, Spurious.ON)
        self._locations = {
            name: {_key(one): one for one in thread.locations if isinstance(one.at, Site)}
            for name, thread in self._space.automaton.templates.items()
        }
        options = BatchOptions(Finals.KEEP, threads=ThreadLimit.CAPPED)
        for number, length in enumerate(LENGTHS):
            batch = machine.run_batch(
                self._seed, number * RUNS, RUNS, length, Uniform(), values=WideValues.TELLING, options=options
            )
            assert batch.finals is not None
            for kind, final in zip(batch.kinds, batch.finals, strict=True):
                if kind == OutcomeKind.STEPS:
                    yield from self._settled(machine, final.tobytes())

    def _settled(self, machine: NativeMachine, block: bytes) -> Iterator[tuple[_Standing, ConcreteState]]:
        """Where all threads stand at locations, if they come to some; who is in an atomic block goes first."""
        chance = Random(self._seed)
        state = machine.decode(block)
        for number in sorted(state.threads, key=lambda one: one != state.atomic):
            for _ in range(SETTLING):
                thread = state.threads[number]
                if not thread.frames or self._location(thread) is not None:
                    break
                moved = _moved(machine, block, thread, chance)
                if moved is None:
                    return
                block, state = moved, machine.decode(moved)
        standing = self._standing(state)
        if standing is not None:
            yield frozenset(standing.values()), self._read(state, standing)

    # --- where threads stand -----------------------------------------------------------------------------------------

    def _location(self, thread: Thread) -> Location | None:
        template = self._locations.get(thread.frames[0].function)
        phase = LetterPhase.RUNNING if thread.phase is Phase.RUNNING else LetterPhase.ENDING
        *_, (context, top) = self._calls(thread)
        key = (context, self._sites[top.function][top.pc], thread.atomic_depth, phase)
        return None if template is None else template.get(key)

    def _calls(self, thread: Thread) -> Iterator[tuple[Context, Frame]]:
        """The frames with the calls that led to them."""
        context: Context = ()
        for frame in thread.frames:
            yield context, frame
            context = (*context, self._sites[frame.function][frame.pc - 1])

    def _standing(self, state: State) -> dict[int, tuple[Instance, Location]] | None:
        """By thread. Which of several threads of a template it is, is certain only as long as none has ended."""
        found: dict[int, tuple[Instance, Location]] = {}
        ended = any(not thread.frames for thread in state.threads.values())
        for number, thread in sorted(state.threads.items()):
            if not thread.frames:
                continue
            location = self._location(thread)
            if location is None or (ended and location.template in self._several):
                return None
            before = sum(one.template == location.template for one, _ in found.values())
            found[number] = (Instance(location.template, before), location)
        known = set(self._space.instances)
        return found if all(instance in known for instance, _ in found.values()) else None

    # --- values ------------------------------------------------------------------------------------------------------

    def _read(self, state: State, standing: dict[int, tuple[Instance, Location]]) -> ConcreteState:
        values: ConcreteState = {}
        for number, (instance, _) in standing.items():
            for context, frame in self._calls(state.threads[number]):
                code, widths = self._reference.static.codes[frame.function], self._space.widths(frame.function)
                for name, width in widths.items():
                    value = code.register(frame.regs, name)
                    if isinstance(value, int):
                        variable = self._space.register(instance, context, frame.function, name)
                        values[variable.name] = value & ((1 << width) - 1)
        view = MemoryView(self._reference.static.image, state)
        for variable, (address, size) in self._words.items():
            data, arbitrary = view.raw(view.find(address), address, size)
            if arbitrary is None or not any(arbitrary):
                values[variable.name] = int.from_bytes(data, "little")
        return values


def _moved(machine: NativeMachine, block: bytes, thread: Thread, chance: Random) -> bytes | None:
    """After one more instruction of a thread, if it can make one."""
    choices: tuple[int, ...] = ()
    while isinstance(asked := machine.step(block, thread.id, choices), Choose):
        choices = (*choices, chance.choice(asked.values) if asked.values else chance.randint(asked.low, asked.high))
    return asked.state if isinstance(asked, NativeMoved) else None


def _key(location: Location) -> _Key:
    assert isinstance(location.at, Site)
    return location.context, location.at, location.depth, location.phase
