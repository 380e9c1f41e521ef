"""Points-to sets: Andersen's lie in Steensgaard's, and every address a run accesses lies in both."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.analysis.points_to import Method, ObjectKind, Offsets, PointsTo, Root, Site, analyse, may_overlap
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.expr import Expr
from threadproof.ir.instr import CompareExchange, Instr, Load, Rmw, Store
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Access, Choose, Moved, Outcome
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import State, live_threads

PROGRAMS = Path(__file__).parents[2] / "programs"
STEPS = 400
MEMORY = (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL, ObjectKind.STACK, ObjectKind.HEAP)


def read(source: Path, model: DataModel = DataModel.LP64) -> Program:
    return normalise(load([str(source)], FrontendOptions(data_model=model)))


def from_text(tmp_path: Path, text: str) -> Program:
    source = tmp_path / "main.c"
    source.write_text(text, encoding="utf-8")
    return read(source)


def everything_visible(program: Program) -> Program:
    """So that runs tell of every access, not only of those to shared memory."""
    functions = {name: replace(f, unshared=frozenset()) for name, f in program.functions.items()}
    return replace(program, functions=functions, unshared=frozenset())


def address_of(instr: Instr) -> Expr | None:
    return instr.address if isinstance(instr, Load | Store | Rmw | CompareExchange) else None


def accessed(machine: Machine, steps: int, seed: int) -> set[tuple[str, Expr, str, int]]:
    """Along a random run: function, address expression, the object accessed, the offset."""
    chance = random.Random(seed)
    constants = program_constants(machine.program)
    state = machine.initial()
    found: set[tuple[str, Expr, str, int]] = set()
    for _ in range(steps):
        moved: Moved | None = None
        for number in chance.sample(live_threads(state), len(live_threads(state))):
            standing = machine.next_instr(state, number)
            outcome = stepped(machine, state, number, chance, constants)
            if not isinstance(outcome, Moved):
                continue
            moved = outcome
            address = None if standing is None else address_of(standing[1])
            if standing is not None and address is not None:
                for effect in outcome.effects:
                    if isinstance(effect, Access):
                        obj = MemoryView(machine.static.image, outcome.state).find(effect.address)
                        found.add((standing[0], address, obj.name, effect.address - obj.start))
            break
        if moved is None:
            break
        state = moved.state
    return found


def stepped(machine: Machine, state: State, number: int, chance: random.Random, constants: frozenset[int]) -> Outcome:
    choices: tuple[int, ...] = ()
    while True:
        outcome = machine.step(state, number, choices)
        if not isinstance(outcome, Choose):
            return outcome
        values, _ = values_to_try(outcome, constants)
        choices = (*choices, chance.choice(list(values)))


def covers(points_to: PointsTo, function: str, address: Expr, name: str, offset: int) -> bool:
    places = points_to.expression(function, address)
    return any(
        place.root.kind is ObjectKind.ANYTHING
        or (place.root.kind in MEMORY and place.root.name == name and place.offsets.includes(Offsets(offset, 0)))
        for place in places
    )


def cases() -> list[Path]:
    return [
        folder
        for feature in ("races", "language", "svcomp")
        for folder in sorted((PROGRAMS / feature).iterdir())
        if (folder / "main.c").exists() and "ilp32" not in folder.name
    ]


@pytest.mark.parametrize("folder", cases(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_accessed_address_is_in_the_set(folder: Path) -> None:
    program = everything_visible(read(folder / "main.c"))
    machine = Machine(program, Granularity.INSTRUCTION)
    andersen, steensgaard = analyse(program), analyse(program, Method.STEENSGAARD)
    for seed in range(2):
        for function, address, name, offset in accessed(machine, STEPS, seed):
            assert covers(andersen, function, address, name, offset), (function, address, name, offset)
            assert covers(steensgaard, function, address, name, offset), (function, address, name, offset)


@pytest.mark.parametrize("folder", cases(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_inclusion_is_at_least_as_precise_as_unification(folder: Path) -> None:
    program = read(folder / "main.c")
    andersen, steensgaard = analyse(program), analyse(program, Method.STEENSGAARD)
    for function in program.functions.values():
        for block in function.blocks:
            for instr in block.instrs:
                address = address_of(instr)
                if address is not None:
                    mine = {place.root for place in andersen.expression(function.name, address)}
                    theirs = {place.root for place in steensgaard.expression(function.name, address)}
                    assert mine <= theirs


def roots_of_stores(program: Program, points_to: PointsTo, function: str) -> list[set[str]]:
    return [
        {place.root.name for place in points_to.expression(function, instr.address)}
        for block in program.functions[function].blocks
        for instr in block.instrs
        if isinstance(instr, Store)
    ]


def test_fields_are_told_apart(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "int a, b; struct { int *first, *second; } pair = {&a, &b};"
        "int main(void) { *pair.first = 1; *pair.second = 2; return 0; }",
    )
    assert roots_of_stores(program, analyse(program), "main") == [{"a"}, {"b"}]
    assert roots_of_stores(program, analyse(program, Method.STEENSGAARD), "main") == [{"a", "b"}, {"a", "b"}]


def test_calls_through_pointers_are_resolved(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "int a, b; void set(int *p) { *p = 1; } void other(int *p) { *p = 2; }"
        "void (*table[])(int *) = {set}; void (*unused)(int *) = other;"
        "int main(void) { table[0](&a); return unused == 0; }",
    )
    andersen = analyse(program)
    assert roots_of_stores(program, andersen, "set") == [{"a"}]
    assert roots_of_stores(program, andersen, "other") == [set[str]()]


def test_a_pointer_through_an_integer_and_bytes_is_followed(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "#include <string.h>\nint a[4]; int main(void) { int *p = a + 1, *q; memcpy(&q, &p, sizeof p);"
        "unsigned long n = (unsigned long)q; *(int *)((n | 1) & ~1ul) = 3; return 0; }",
    )
    assert {"a"} in roots_of_stores(program, analyse(program), "main")


def test_an_address_put_together_bit_by_bit_may_be_any(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "int x; unsigned char bits[64]; int main(void) { unsigned long v = 0;"
        "for (int i = 0; i < 64; i++) bits[i] = (unsigned long)&x >> i & 1;"
        "for (int i = 0; i < 64; i++) if (bits[i]) v |= 1ul << i; *(int *)v = 1; return 0; }",
    )
    assert analyse(program).wild
    assert analyse(program, Method.STEENSGAARD).wild


def test_a_number_nobody_chose_may_be_any_address(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "unsigned long __VERIFIER_nondet_ulong(void); int a;"
        "int main(void) { *(int *)__VERIFIER_nondet_ulong() = 1; a = 2; return 0; }",
    )
    assert analyse(program).wild
    assert analyse(program, Method.STEENSGAARD).wild


def test_the_handle_of_a_thread_is_followed(tmp_path: Path) -> None:
    program = from_text(
        tmp_path,
        "#include <pthread.h>\nint a; void *f(void *p) { *(int *)p = 1; return p; }"
        "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, &a); pthread_join(t, &r);"
        "*(int *)r = 2; return 0; }",
    )
    assert roots_of_stores(program, analyse(program), "f") == [{"a"}]
    assert {"a"} in roots_of_stores(program, analyse(program), "main")


@pytest.mark.parametrize(
    ("a", "size", "b", "other", "expected"),
    [
        (Offsets(0, 0), 4, Offsets(4, 0), 4, False),
        (Offsets(0, 0), 5, Offsets(4, 0), 4, True),
        (Offsets(0, 8), 4, Offsets(4, 8), 4, False),
        (Offsets(0, 8), 4, Offsets(12, 0), 4, False),
        (Offsets(0, 8), 4, Offsets(16, 0), 4, True),
        (Offsets(0, 8), 8, Offsets(4, 8), 1, True),
        (Offsets(6, 8), 4, Offsets(0, 8), 1, True),
        (Offsets(0, 12), 4, Offsets(4, 8), 4, True),
    ],
)
def test_overlap(a: Offsets, size: int, b: Offsets, other: int, expected: bool) -> None:
    assert may_overlap(a, size, b, other) is expected
    assert may_overlap(b, other, a, size) is expected


def test_overlap_is_what_counting_says() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        a, b = (Offsets(chance.randrange(12), 0) for _ in range(2))
        if chance.random() < 0.7:
            a = Offsets(a.start % (s := chance.randrange(1, 12)), s)
        if chance.random() < 0.7:
            b = Offsets(b.start % (s := chance.randrange(1, 12)), s)
        size, other = chance.randrange(1, 6), chance.randrange(1, 6)
        mine = {x + k for x in spread(a) for k in range(size)}
        theirs = {x + k for x in spread(b) for k in range(other)}
        assert may_overlap(a, size, b, other) == bool(mine & theirs), (a, size, b, other)


def spread(at: Offsets) -> list[int]:
    return [at.start + k * at.stride for k in range(-140, 140)] if at.stride else [at.start]


def test_roots_are_values() -> None:
    assert Root(ObjectKind.HEAP, "malloc@1", Site("f", "0", 1)) == Root(ObjectKind.HEAP, "malloc@1", Site("f", "0", 1))
