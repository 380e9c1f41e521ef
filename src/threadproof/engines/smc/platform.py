"""Environments: Lodin's separation of the program from the platform it runs on.

A platform module is a Python file that gives meaning to external functions, keeps an environment state of its own, may
make transitions of its own (signals to a thread's handler) and says how likely everything is.
docs/howto/write-a-platform.md shows how to write one; `platforms/ptrace.py` is the example.

Paper: Traonouez et al., sections 2 and 2.1: `functions` are the environment's synchronisations, `active` is Active,
`signals` is the relation of environment transitions, `weight` and `choose` are the probability mass functions.
Invariants: platforms are pure; an environment state is a value that is never changed, only replaced.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from threadproof.codegen.machine.environment_text import NativeEnvironment as NativeEnvironment
from threadproof.codegen.machine.environment_text import NativeSignal as NativeSignal
from threadproof.core.errors import InputError
from threadproof.core.schedule import Move
from threadproof.core.thread_id import ThreadId
from threadproof.engines.smc.sampling.generator import RunRandom
from threadproof.engines.smc.sampling.sampler import Ending
from threadproof.engines.smc.sampling.walk import RunEnd, UniformWalker, successor
from threadproof.ir import instr as ir
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose
from threadproof.semantics.run import Run
from threadproof.semantics.state import Frame, Pending, Phase, State, live_threads

Environment = Any  # whatever the platform's `initial` returns; hashable, never mutated


class Signal(NamedTuple):
    """An environment transition: the thread runs `handler` (a function's address or name) before it goes on."""

    thread: ThreadId
    handler: int | str
    args: tuple[int, ...]
    then: Environment
    weight: float = 1.0


class Wait(Exception):
    """Raised by a function of the platform: the call blocks for now."""


@dataclass(frozen=True, slots=True)
class PlatformCall:
    """What a function of the platform gets to know."""

    thread: ThreadId
    args: tuple[int, ...]
    env: Environment
    rng: RunRandom

    def arg(self, index: int, bits: int = 32) -> int:
        """An argument as a signed number."""
        value = self.args[index] & ((1 << bits) - 1)
        return value - (1 << bits) if value >> (bits - 1) else value


Function = Callable[[PlatformCall], tuple[int, Environment]]
"""The result of the call and the environment afterwards."""


def _no_environment() -> Environment:
    return None


def _everyone(env: Environment, thread: ThreadId) -> bool:
    return True


def _no_signals(env: Environment) -> list[Signal]:
    return []


def _same(env: Environment, thread: ThreadId) -> float:
    return 1.0


@dataclass(frozen=True, slots=True)
class Platform:
    """What a platform module exports as `platform`."""

    functions: Mapping[str, Function]
    """By name; each must have its prototype in `declarations`."""
    declarations: str = ""
    """C prototypes of the functions, as the program's headers declare them, each ended by a semicolon."""
    initial: Callable[[], Environment] = _no_environment
    active: Callable[[Environment, ThreadId], bool] = _everyone
    signals: Callable[[Environment], list[Signal]] = _no_signals
    weight: Callable[[Environment, ThreadId], float] = _same
    """How likely a thread is, relative to the other active ones and to the signals."""
    choose: Callable[[str, int, int, RunRandom], int | None] | None = None
    """A value of the nondeterministic source between low and high; None: uniform."""
    native: NativeEnvironment | None = None
    """The same in C, for the native machine. Where it says less than the Python part, that is used."""

    def in_c(self) -> NativeEnvironment | None:
        """The C part, if it says everything that the Python part says."""
        native = self.native
        if native is None or not self.functions.keys() <= native.functions.keys():
            return None
        silent = (
            (self.active is not _everyone and not native.active)
            or (self.weight is not _same and not native.weight)
            or (self.signals is not _no_signals and not native.signals)
            or (self.choose is not None and not native.choose)
        )
        return None if silent else native

    def stubs(self) -> str:
        """C bodies for the functions, so that calls of them stay calls; they are never run."""
        lines: list[str] = []
        for prototype in self.declarations.split(";"):
            if prototype.strip():
                void = prototype.split()[0] == "void" and "*" not in prototype.split("(")[0]
                lines.append(f"{prototype.strip()} {{ {'' if void else 'return 0; '}}}")
        return "\n".join(lines) + "\n"


def load_platform(path: Path) -> Platform:
    """A file, or the name of a platform that comes with Threadproof."""
    if not path.suffix:
        path = Path(__file__).parent / "platforms" / f"{path.name}.py"
    if not path.is_file():
        shipped = sorted(p.stem for p in (Path(__file__).parent / "platforms").glob("*.py") if p.stem != "__init__")
        raise InputError(f"no platform file {path.name}; those that come with Threadproof: {', '.join(shipped)}")
    if path.suffix != ".py":
        raise InputError(f"--platform {path}: a platform is a Python module, a file whose name ends with .py")
    spec = importlib.util.spec_from_file_location(f"threadproof_platform_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # somebody else's code: whatever it raises, the file is to blame
        raise InputError(f"{path}: the platform cannot be loaded: {type(error).__name__}: {error}") from error
    platform = getattr(module, "platform", None)
    if not isinstance(platform, Platform):
        raise InputError(f"{path}: a platform module defines `platform = Platform(...)`")
    return platform


class PlatformWorld(NamedTuple):
    """A program state with its environment: what a run under a platform goes through."""

    memory: Any
    threads: Any
    keys: Any
    atomic: Any
    env: Environment
    interrupted: tuple[tuple[int, int], ...]  # (thread, depth of its stack of frames) of handlers that run


class PlatformWalker(UniformWalker):
    """Lodin's Algorithm 1 in full: draw a thread or a signal, then let program and environment move together."""

    def __init__(self, machine: Machine, platform: Platform) -> None:
        super().__init__(machine)
        self._platform = platform
        for name in platform.functions:
            if name in machine.program.functions and name not in platform.declarations:
                raise InputError(f"the platform's function {name} has no prototype in its declarations")

    def initial(self) -> Any:
        return PlatformWorld(*self.machine.initial(), self._platform.initial(), ())

    def advance(self, state: Any, rng: RunRandom) -> Any:
        world: PlatformWorld = state
        plain = State(*world[:4])
        options: list[tuple[float, int | Signal]] = [
            (self._platform.weight(world.env, plain.threads[number].id), number)
            for number in ([plain.atomic] if plain.atomic is not None else live_threads(plain))
            if self._platform.active(world.env, plain.threads[number].id)
        ]
        options.extend((signal.weight, signal) for signal in self._deliverable(world, plain))
        while options:
            index = _draw([weight for weight, _ in options], rng)
            chosen = options[index][1]
            moved = (
                self._interrupt(world, plain, chosen)
                if isinstance(chosen, Signal)
                else (self._move(world, plain, chosen, rng))
            )
            if moved is not None:
                return moved
            del options[index]
        raise RunEnd(Ending.DEADLOCK, steps=0)

    def key(self, state: Any) -> Any:
        world: PlatformWorld = state
        return super().key(State(*world[:4])), world.env, frozenset(world.interrupted)

    def choose(self, choice: Choose, rng: RunRandom) -> int:
        if self._platform.choose is not None:
            value = self._platform.choose(choice.source, choice.low, choice.high, rng)
            if value is not None:
                return value
        return super().choose(choice, rng)

    def _deliverable(self, world: PlatformWorld, plain: State) -> list[Signal]:
        by_id = {thread.id: thread for thread in plain.threads.values()}
        return [
            signal
            for signal in self._platform.signals(world.env)
            if signal.thread in by_id and by_id[signal.thread].phase is Phase.RUNNING and plain.atomic is None
        ]

    def _move(self, world: PlatformWorld, plain: State, number: int, rng: RunRandom) -> PlatformWorld | None:
        found = self.machine.next_instr(plain, number)
        if found is not None and isinstance(found[1], ir.Call) and found[1].callee in self._platform.functions:
            return self._external(world, plain, number, found[1], rng)
        frames = plain.threads[number].frames
        if isinstance(found and found[1], ir.Return) and (number, len(frames)) in world.interrupted:
            return self._resume(world, plain, number)
        outcome = self.step(plain, number, rng)
        if isinstance(outcome, Blocked):
            return None
        return PlatformWorld(*successor(outcome), world.env, world.interrupted)

    def _external(
        self, world: PlatformWorld, plain: State, number: int, call: ir.Call, rng: RunRandom
    ) -> PlatformWorld | None:
        """The call is one step: the environment answers it."""
        run = Run(self.machine.static, plain, number, ())
        args = tuple(int(run.code.value(arg)(run.r, run)) for arg in call.args)
        name = str(call.callee)
        try:
            result, env = self._platform.functions[name](PlatformCall(plain.threads[number].id, args, world.env, rng))
        except Wait:
            if plain.atomic is not None:
                raise RunEnd(Ending.DEADLOCK) from None
            return None
        if call.dst is not None:
            run.r[run.code.slot(call.dst.name)] = result & ((1 << call.dst.width) - 1)
        self.last = Move(plain.threads[number].id)
        return PlatformWorld(*run.freeze(run.pc + 1, Pending.VISIBLE), env, world.interrupted)

    def _interrupt(self, world: PlatformWorld, plain: State, signal: Signal) -> PlatformWorld:
        """The thread's next instruction is the first of the handler."""
        static = self.machine.static
        code = (
            static.codes.get(signal.handler)
            if isinstance(signal.handler, str)
            else static.functions_at.get(signal.handler)
        )
        if code is None or len(code.params) != len(signal.args):
            raise InputError(f"the platform's signal goes to {signal.handler}, which is no fitting function")
        number = next(n for n, thread in plain.threads.items() if thread.id == signal.thread)
        thread = plain.threads[number]
        regs: list[Any] = [thread.frames[-1].regs[0]] + [None] * code.slot_count
        for slot, value in zip(code.params, signal.args, strict=True):
            regs[slot] = value
        frame = Frame(code.name, 0, code.kept_at(regs, 0), len(thread.stack), thread.cursor)
        frames = (*thread.frames, frame)
        threads = {**plain.threads, number: thread._replace(frames=frames)}
        self.last = Move(signal.thread)
        return PlatformWorld(
            plain.memory, threads, plain.keys, plain.atomic, signal.then, (*world.interrupted, (number, len(frames)))
        )

    def _resume(self, world: PlatformWorld, plain: State, number: int) -> PlatformWorld:
        """The handler returns: the thread goes on where it was."""
        thread = plain.threads[number]
        frame = thread.frames[-1]
        dropped = {obj.start for obj in thread.stack[frame.stack_mark :]}
        memory = {at: chunk for at, chunk in plain.memory.items() if at not in dropped}
        back = thread._replace(frames=thread.frames[:-1], stack=thread.stack[: frame.stack_mark], cursor=frame.cursor)
        still = tuple(one for one in world.interrupted if one != (number, len(thread.frames)))
        self.last = Move(thread.id)
        return PlatformWorld(memory, {**plain.threads, number: back}, plain.keys, plain.atomic, world.env, still)


def _draw(weights: list[float], rng: RunRandom) -> int:
    if len(weights) == 1:
        return 0
    at = rng.random() * sum(weights)
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    return len(weights) - 1
