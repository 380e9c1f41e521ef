"""Compares what the native search says with each reduction and without.

python tests/differential/search_reductions.py 0 300 [--tiny]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

from comparison import read
from sweep import data_model

from threadproof.analysis.futures import Futures, futures
from threadproof.codegen.native import NativeMachine
from threadproof.codegen.search import End, NativeSearch, Reduction, WhenShort
from threadproof.core.property import Property
from threadproof.dev.generate import Shape, TinyShape, generate, generate_tiny
from threadproof.engines.explicit import native
from threadproof.engines.explicit.engine import has_native
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend.options import Checks
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise

SHAPE = Shape(threads=(2, 3), statements=(1, 2), features=(1, 4))
TINY = TinyShape(threads=(2, 4), steps=(1, 5), together=9, features=(1, 3))
LIMIT = 300_000
REDUCED = [reduction for reduction in Reduction if reduction is not Reduction.NONE]


@dataclass(frozen=True, slots=True)
class Said:
    end: End
    cut: bool  # whether something keeps `true` from being said
    states: int
    steps: int


def asked(machine: NativeMachine, prop: Property, reduction: Reduction, known: Futures | None) -> Said | None:
    """None if the question is too large, or not for the native search."""
    question = replace(native.question(prop), reduction=reduction)
    search = NativeSearch(machine, question, WhenShort.GO_ON, known)
    try:
        end = search.run(LIMIT)
        if end not in (End.DONE, End.VIOLATED):
            return None
        if end is End.VIOLATED:
            assert replay_schedule(machine.program, prop, search.schedule()) is not None, "the schedule does not replay"
        return Said(end, end is End.DONE and search.cut is not None, search.states, search.steps)
    finally:
        search.close()


def fitting(task: Task) -> NativeMachine | None:
    """A machine with room for all states of the program; None if there is none."""
    machine: NativeMachine | None = native.machine_for(task)
    while machine is not None:
        search = NativeSearch(machine, replace(native.question(task.property), reduction=Reduction.NONE))
        short = search.run(LIMIT) is End.SHORT
        room = search.short_of if short else ""
        search.close()
        if not short:
            return machine
        machine = machine.grown(room)
    return None


def compare(program: Program, prop: Property) -> tuple[list[str], list[int]]:
    """How answers differ, and the states of each search."""
    task = Task(program, prop)
    if not has_native(task):
        return [], []
    machine, known = fitting(task), futures(program)
    plain = None if machine is None else asked(machine, prop, Reduction.NONE, known)
    if machine is None or plain is None:
        return [], []
    found = {reduction: asked(machine, prop, reduction, known) for reduction in REDUCED}
    differences = [
        f"{prop.value}: {reduction.name} {said}, without {plain}"
        for reduction, said in found.items()
        if said is None or (said.end, said.cut) != (plain.end, plain.cut)
    ]
    return differences, [plain.states, *(said.states for said in found.values() if said)]


def forms(source: str, seed: int) -> list[tuple[Program, tuple[Property, ...]]]:
    """The forms of a program, with the properties that are asked of each."""
    program = normalise(read(source, data_model=data_model(seed)))
    found = [(program, (Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK))]
    if seed % 4 == 0:
        found.append((instruction_form(read(source)), (Property.VALID_MEMSAFETY,)))
        found.append((normalise(read(source, Checks.OVERFLOW)), (Property.NO_OVERFLOW,)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args()
    asked_of, different, totals = 0, 0, [0] * (1 + len(REDUCED))
    for seed in range(options.first, options.last):
        source = generate_tiny(seed, TINY) if options.tiny else generate(seed, SHAPE)
        for program, properties in forms(source, seed):
            for prop in properties:
                differences, states = compare(program, prop)
                asked_of += bool(states)
                totals = [a + b for a, b in zip(totals, states, strict=True)] if states else totals
                for line in differences:
                    different += 1
                    print(f"seed {seed}: {line}", flush=True)
    names = ", ".join(f"{r.name} {n:,}" for r, n in zip(Reduction, totals, strict=True))
    print(f"{asked_of} questions, {different} differences; states: {names}")


if __name__ == "__main__":
    main()
