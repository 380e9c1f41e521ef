"""Compares who answers for weak memory on many random programs, per memory model:

    PYTHONPATH=src python tests/differential/weak_sweep.py FIRST LAST [--shape straight|mixed|tiny] [--who NAME]...

`straight` programs have no branches: axioms say which outcomes there are, one of them is forbidden by an assertion, and
everyone must say whether it can be reached. `mixed` ones have branches, arrays, pointers and bytes; `tiny` ones are
those of the other sweeps. Of these brute force is believed.
What claims a violation must replay. The last lines count verdicts and differences.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from weak_axioms import Outcome, outcomes

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.dev.programs import weak_mixed
from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import TinyShape, generate_tiny
from threadproof.dev.programs.weak_mixed import random_mixed
from threadproof.dev.programs.weak_programs import random_program, source
from threadproof.dev.weak_verdicts import ALSO, ASKED, DoesNotReplay, by_brute_force
from threadproof.explore.traces import TooManyStates
from threadproof.explore.weak_states import reach
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

BRUTE_FORCE = "brute force"
LEFT_OUT = (Feature.HANDLE, Feature.HEAP, Feature.CANCEL)  # about what no memory model changes
TINY = TinyShape(allowed=tuple(feature for feature in TinyShape().allowed if feature not in LEFT_OUT))
Expected = dict[MemoryModel, Verdict]


def asked_about(seed: int, allowed: dict[MemoryModel, set[Outcome]]) -> tuple[Outcome, Expected]:
    """An outcome to forbid and who allows it: one that the weakest model adds, or one made up that nobody allows."""
    rng, weakest = Random(seed), sorted(allowed[MemoryModel.PSO])
    forbidden = rng.choice(sorted(allowed[MemoryModel.PSO] - allowed[MemoryModel.SC]) or weakest)
    made_up = [tuple(rng.choice(values) for values in zip(*weakest, strict=True)) for _ in range(20)]
    if rng.random() < 0.4:
        forbidden = next((outcome for outcome in made_up if outcome not in weakest), forbidden)
    return forbidden, {m: Verdict.FALSE if forbidden in allowed[m] else Verdict.TRUE for m in MemoryModel}


def straight(seed: int) -> tuple[str, Expected]:
    program = random_program(seed)
    allowed = {model: set[Outcome](outcomes(program, model)) for model in MemoryModel}
    forbidden, expected = asked_about(seed, allowed)
    return source(program, forbidden), expected


def mixed(seed: int) -> tuple[str, Expected]:
    program = random_mixed(seed)
    text = weak_mixed.source(program)
    found = {model: reach(parsed(text), model, variables=program.observed) for model in MemoryModel}
    assert not any(reached.cut for reached in found.values())
    forbidden, expected = asked_about(seed, {model: reached.finals for model, reached in found.items()})
    return weak_mixed.source(program, forbidden), expected


def tiny(seed: int) -> tuple[str, Expected]:
    text = generate_tiny(seed, TINY)
    program = parsed(text)
    return text, {model: by_brute_force(program, model) for model in MemoryModel}


SHAPES = {"straight": straight, "mixed": mixed, "tiny": tiny}


def parsed(text: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weak.c"
        path.write_text(text, encoding="utf-8")
        return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())


def differences(text: str, expected: Expected, asked: list[str], said: Counter[str]) -> Iterator[str]:
    """What is not as expected; an `unknown` is counted in `said` and is no difference."""
    program = parsed(text)
    for who in asked:
        for model, wanted in expected.items():
            try:
                verdict = (ASKED | ALSO)[who](program, model)
            except DoesNotReplay as error:
                yield f"{who} {error}"
                continue
            said[f"{who}, {model}: {verdict}"] += 1
            if verdict is not wanted and Verdict.UNKNOWN not in (verdict, wanted):
                yield f"{who} says {verdict} under {model}, expected {wanted}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("last", type=int, help="the seed after the last")
    parser.add_argument("--shape", choices=sorted(SHAPES), default="straight")
    parser.add_argument("--who", action="append", choices=sorted(ASKED | ALSO), help="default: those who are quick")
    options = parser.parse_args()
    asked = options.who or list(ASKED)
    if options.shape == "tiny":
        asked = [who for who in asked if who != BRUTE_FORCE]
    started, compared, different, said = time.monotonic(), 0, 0, Counter[str]()
    for seed in range(options.first, options.last):
        try:
            text, expected = SHAPES[options.shape](seed)
            found = list(differences(text, expected, asked, said))
        except TooManyStates:
            continue
        said.update(f"expected, {model}: {verdict}" for model, verdict in expected.items())
        compared, different = compared + 1, different + bool(found)
        if found:
            print(f"--- seed {seed}", *found, text, sep="\n", flush=True)
    print(*(f"{count:7} {what}" for what, count in sorted(said.items())), sep="\n")
    seconds = time.monotonic() - started
    print(f"{compared} {options.shape} programs compared under three models, {different} differ, {seconds:.0f} s")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
