"""The programs that sweeps and tests compare, by seed, and what the two sweep commands have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from part_programs import drawn_program, lists_program

from threadproof.core.errors import InputError
from threadproof.dev.programs.generate import ProgramShape, generate, generate_tiny
from threadproof.dev.programs.groups import generate_groups
from threadproof.dev.programs.guarded import generate_guarded
from threadproof.dev.programs.shrink import shrink
from threadproof.dev.programs.threaded import generate_threaded
from threadproof.frontend.options import Locals
from threadproof.ir.program import DataModel

LARGER = ProgramShape(statements=(2, 3), features=(2, 4))
SHAPES: dict[str, Callable[[int], str]] = {
    "default": generate,
    "larger": lambda seed: generate(seed, LARGER),
    "tiny": generate_tiny,
    "guarded": generate_guarded,
    "groups": generate_groups,
    "threaded": generate_threaded,
    "drawn": drawn_program,
    "lists": lists_program,
}
_MIXTURE = ("tiny", "default", "tiny", "threaded", "tiny", "groups", "tiny", "guarded", "larger")


def generate_mixed(seed: int) -> str:
    """One shape after the other; every second program is tiny."""
    return SHAPES[_MIXTURE[seed % len(_MIXTURE)]](seed)


SHAPES["mixed"] = generate_mixed


def data_model(seed: int) -> DataModel:
    """Every fifth program is read for a 32-bit machine."""
    return DataModel.ILP32 if seed % 5 == 4 else DataModel.LP64


def scopes(seed: int) -> Locals:
    """Every third program has locals that end with their block, as for engines."""
    return Locals.BLOCK if seed % 3 == 1 else Locals.FUNCTION


def seeds_parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("last", type=int, help="the seed after the last")
    parser.add_argument("--shape", choices=sorted(SHAPES), default="default")
    return parser


def shrunk(source: str, kinds: Callable[[str], frozenset[str]]) -> str:
    """A smaller program that shows some of the same kinds of differences."""
    wanted = kinds(source)

    def still_differs(candidate: str) -> bool:
        try:
            return bool(kinds(candidate) & wanted)
        except (InputError, AssertionError):
            return False

    return shrink(source, still_differs)
