"""The native look for lost memory agrees with the reference: verdicts, and every single step (see `walk.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from comparison import read
from heap_programs import generate_heap
from native_leaks import differences
from step_sweep import load_case, name_of
from walk import compare

from threadproof.passes.pipeline import instruction_form
from threadproof.semantics.run import Granularity

PROGRAMS = sorted((Path(__file__).parents[1] / "programs" / "memsafety").glob("*/main.c"))


# Each holds a block in one place only, and then nowhere.
PLACES = {
    "the middle of a block": "char *s = malloc(4); g = (int *)(s + 3); s = 0; x = 1; g = 0;",
    "one behind a block": "int *q = malloc(4); g = q + 1; q = 0; x = 1; g = 0;",
    "a packed structure": "packed.p = malloc(4); x = 1; packed.p = 0;",
    "a block in a block": "box = malloc(8); *box = malloc(4); x = 1; free(box); box = 0; x = 2;",
    "two blocks, each in the other": (
        "int **a = malloc(8), **b = malloc(8); *a = (int *)b; *b = (int *)a; g = (int *)a; a = b = 0; x = 2; g = 0;"
    ),
    "thread-specific data": "pthread_setspecific(key, malloc(4)); x = 1; pthread_setspecific(key, 0); x = 2;",
    "thread-local data": "own = malloc(4); x = 1; own = 0; x = 2;",
}


def holding(text: str) -> str:
    head = generate_heap(0).split("void *one")[0]
    return head + f"int main(void) {{ pthread_key_create(&key, 0); {text} return 0; }}\n"


@pytest.mark.parametrize("name", PLACES)
def test_what_holds_a_block(name: str) -> None:
    program = instruction_form(read(holding(PLACES[name])))
    assert not compare(program, Granularity.INSTRUCTION, walks=2, steps=200).differences


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_programs_step_by_step(path: Path, at_length: bool) -> None:
    program = instruction_form(load_case(path))
    assert not compare(program, Granularity.VISIBLE, walks=10 if at_length else 4, steps=60).differences


@pytest.mark.parametrize("seed", range(12))
def test_random_heap_programs(seed: int) -> None:
    source = generate_heap(seed)
    assert not list(differences(source)), source


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_random_heap_programs_at_length(seed: int) -> None:
    source = generate_heap(seed)
    assert not list(differences(source)), source
