"""How cases are written: a text with `$names`, and what may stand for each of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from string import Template

from library_case import Case, Kind

Choices = Sequence[object]

INTS = (0, 1, -1, 2, 7, -8, 255, 256, -32768, 65535, "INT_MAX", "INT_MIN")
LONGS = (*INTS, "LONG_MAX", "LONG_MIN", 4294967296)
TEXTS = ('""', '"a"', '"abc"', '"hello, world"', r'"a\tb c\n"', r'"\xff\x80z"', '"aaaaaaaaaaaaaaaaab"', '"ABCabc123"')
VOID = frozenset({"bcopy", "bzero", "free", "mtx_destroy", "cnd_destroy"})  # without a result
BAD = {
    "null": "void *bad = 0;",
    "freed": "char *bad = malloc(256); memset(bad, 0, 256); free(bad);",
    "one byte": "char *bad = malloc(1); *bad = 'x';",
}


def spread(
    rng: random.Random,
    function: str,
    body: str,
    most: int = 12,
    *,
    kind: Kind = Kind.SAFE,
    top: str = "",
    **choices: Choices,
) -> list[Case]:
    """All combinations, or `most` of them drawn at random."""
    names = list(choices)
    combinations = list(itertools.product(*choices.values()))
    if len(combinations) > most:
        combinations = rng.sample(combinations, most)
    texts = [dict(zip(names, map(str, values), strict=True)) for values in combinations]
    return [Case(function, Template(body).substitute(text), Template(top).substitute(text), kind) for text in texts]


def unsafe(function: str, *bodies: str) -> list[Case]:
    return [Case(function, body, kind=Kind.UNSAFE) for body in bodies]


def safe(function: str, *bodies: str, top: str = "", among: bool = False) -> list[Case]:
    return [Case(function, body, top, among=among) for body in bodies]


def hangs(function: str, *bodies: str, top: str = "") -> list[Case]:
    return [Case(function, body, top, Kind.HANGS) for body in bodies]


def attacked(
    function: str, before: str, arguments: Sequence[str], pointers: Sequence[int], after: str = ""
) -> list[Case]:
    """The call with a bad pointer in the place of each good one; whether that is an error the real machine decides.

    The result is kept: gcc leaves out calls of pure functions whose result nobody wants."""
    kept = "" if function in VOID else "volatile long long kept = (long long)"
    cases: list[Case] = []
    for place in pointers:
        for bad in BAD.values():
            given = [("(void *)bad" if at == place else text) for at, text in enumerate(arguments)]
            cases.append(
                Case(function, f"{before} {bad} {kept}{function}({', '.join(given)}); obs(1); {after}", kind=Kind.ASK)
            )
    return cases
