"""Compares many random programs and shrinks every difference: `python tests/differential/sweep.py FIRST LAST`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from comparison import Comparison, compare

from threadproof.core.errors import InputError, ThreadproofError
from threadproof.dev.generate import DEFAULT, Shape, generate
from threadproof.dev.shrink import shrink
from threadproof.ir.program import DataModel

SHAPES = {"default": DEFAULT, "larger": Shape(statements=(2, 3), features=(2, 4))}


def data_model(seed: int) -> DataModel:
    """Every fifth program is read for a 32-bit machine."""
    return DataModel.ILP32 if seed % 5 == 4 else DataModel.LP64


def kinds(found: Comparison) -> frozenset[str]:
    """What differs, without the details: a shrunk program must show the same."""
    return frozenset(difference.split(":")[0] for difference in found.differences)


def shrunk(source: str, limit: int, model: DataModel) -> str:
    wanted = kinds(compare(source, limit, model))

    def still_differs(candidate: str) -> bool:
        try:
            return bool(kinds(compare(candidate, limit, model)) & wanted)
        except (InputError, AssertionError):
            return False

    return shrink(source, still_differs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--limit", type=int, default=5_000, help="states per program; larger ones are passed over")
    parser.add_argument("--shape", choices=sorted(SHAPES), default="default")
    options = parser.parse_args()
    started, compared, different = time.monotonic(), 0, 0
    verdicts: Counter[str] = Counter()
    for seed in range(options.first, options.last):
        source, model = generate(seed, SHAPES[options.shape]), data_model(seed)
        try:
            found = compare(source, options.limit, model)
        except ThreadproofError as error:
            print(f"--- seed {seed} ({model.value}) cannot be compared: {error}", flush=True)
            different += 1
            continue
        compared += not found.too_large
        verdicts.update(f"{prop} {verdict}" for prop, verdict in found.verdicts.items())
        if found.differences:
            different += 1
            small = shrunk(source, options.limit, model)
            print(f"--- seed {seed} ({model.value})", *found.differences, small, sep="\n", flush=True)
        if seed % 100 == 99:
            print(f"{seed}: {compared} compared, {different} differ, {time.monotonic() - started:.0f} s", flush=True)
    print(f"{compared} programs compared, {different} differ")
    print(*(f"{count:7} {verdict}" for verdict, count in sorted(verdicts.items())), sep="\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
