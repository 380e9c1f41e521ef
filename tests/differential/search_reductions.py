"""Compares what the native search says with each reduction and without.

python tests/differential/search_reductions.py 0 300 [--tiny]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from random import Random

from comparison import read
from sweep import data_model

from threadproof.analysis.footprints.futures import Futures, futures
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.property import Property
from threadproof.dev.programs.generate import ProgramShape, TinyShape, generate, generate_tiny
from threadproof.engines.explicit import native
from threadproof.engines.explicit.search import Fold, NativeSearch, SearchEnd, SearchReduction, WhenShort
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend.options import Checks
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise

SHAPE = ProgramShape(threads=(2, 3), statements=(1, 2), features=(1, 4))
TINY = TinyShape(threads=(2, 4), steps=(1, 5), together=9, features=(1, 3))
LIMIT = 300_000
PLAIN = (SearchReduction.NONE, Fold.EQUAL)
VARIANTS = [
    *((reduction, Fold.EQUAL) for reduction in SearchReduction if reduction is not SearchReduction.NONE),
    (SearchReduction.NONE, Fold.SYMMETRIC),
    (SearchReduction.PERSISTENT, Fold.SYMMETRIC),
]
Variant = tuple[SearchReduction, Fold]


@dataclass(frozen=True, slots=True)
class Said:
    end: SearchEnd
    cut: bool  # whether something keeps `true` from being said
    states: int
    steps: int


def asked(machine: NativeMachine, prop: Property, variant: Variant, known: Futures | None) -> Said | None:
    """None if the question is too large, or not for the native search."""
    question = replace(native.question(machine.program, prop), reduction=variant[0], fold=variant[1])
    search = NativeSearch(machine, question, WhenShort.GO_ON, known)
    try:
        end = search.run(LIMIT)
        if end not in (SearchEnd.DONE, SearchEnd.VIOLATED):
            return None
        if end is SearchEnd.VIOLATED:
            assert replay_schedule(machine.program, prop, search.schedule()) is not None, "the schedule does not replay"
        return Said(end, end is SearchEnd.DONE and search.cut is not None, search.states, search.steps)
    finally:
        search.close()


def fitting(task: Task) -> NativeMachine | None:
    """A machine with room for all states of the program; None if there is none."""
    machine: NativeMachine | None = native.machine_for(task)
    while machine is not None:
        search = NativeSearch(
            machine, replace(native.question(task.program, task.property), reduction=SearchReduction.NONE)
        )
        short = search.run(LIMIT) is SearchEnd.SHORT
        room = search.short_of if short else ""
        search.close()
        if not short:
            return machine
        machine = machine.grown(room)
    return None


def compare(program: Program, prop: Property) -> tuple[list[str], list[int]]:
    """How answers differ, and the states of each search."""
    task = Task(program, prop)
    machine, known = fitting(task), futures(program)
    plain = None if machine is None else asked(machine, prop, PLAIN, known)
    if machine is None or plain is None:
        return [], []
    found = {variant: asked(machine, prop, variant, known) for variant in VARIANTS}
    differences = [
        f"{prop.value}: {reduction.name} {fold.name} {said}, without {plain}"
        for (reduction, fold), said in found.items()
        if said is None or (said.end, said.cut) != (plain.end, plain.cut)
    ]
    return differences, [plain.states, *(said.states for said in found.values() if said)]


_PIECES = (
    "x++;", "y = x;", "x = y + 1;", "if (x == y) z = 1;", "if (z) x = 0;", "z = z + x;",
    "__VERIFIER_atomic_begin(); x++; y--; __VERIFIER_atomic_end();", "if (x + y > 2) reach_error();",
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); y = x; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); pthread_mutex_lock(&n); z++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&n); pthread_mutex_lock(&m); z--; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
    "if (!pthread_mutex_trylock(&n)) { x = 2; pthread_mutex_unlock(&n); }",
    "{ int a[2]; a[x & 1] = y; z = a[0]; }", "deep(x);",
)  # fmt: skip


def alike(seed: int) -> str:
    """A program whose threads nobody can tell apart, of one or two routines."""
    rng = Random(f"alike {seed}")
    routines = [
        f"void *f{k}(void *p) {{ {' '.join(rng.choice(_PIECES) for _ in range(rng.randint(1, 3)))} return 0; }}"
        for k in range(rng.randint(1, 2))
    ]
    created = [f"pthread_create(&t, 0, f{rng.randrange(len(routines))}, 0);" for _ in range(rng.randint(2, 3))]
    end = rng.choice(["return 0;", "pthread_exit(0);", "pthread_mutex_lock(&m); if (z > 1) reach_error(); return 0;"])
    return "\n".join([
        "#include <pthread.h>",
        "extern void reach_error(void);",
        "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y, z;",
        "void deep(int k) { y = k; if (k != y) z = 2; }",
        *routines,
        f"int main(void) {{ pthread_t t; {' '.join(created)} {end} }}",
    ])  # fmt: skip


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
    parser.add_argument("--alike", action="store_true", help="programs whose threads are symmetric")
    options = parser.parse_args()
    asked_of, different, totals = 0, 0, [0] * (1 + len(VARIANTS))
    for seed in range(options.first, options.last):
        source = generate_tiny(seed, TINY) if options.tiny else generate(seed, SHAPE)
        source = alike(seed) if options.alike else source
        for program, properties in forms(source, seed):
            for prop in properties:
                differences, states = compare(program, prop)
                asked_of += bool(states)
                totals = [a + b for a, b in zip(totals, states, strict=True)] if states else totals
                for line in differences:
                    different += 1
                    print(f"seed {seed}: {line}", flush=True)
    names = ", ".join(f"{r.name} {f.name} {n:,}" for (r, f), n in zip([PLAIN, *VARIANTS], totals, strict=True))
    print(f"{asked_of} questions, {different} differences; states: {names}")


if __name__ == "__main__":
    main()
