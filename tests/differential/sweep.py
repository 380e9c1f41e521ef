"""Compares the explicit engine with brute force over single instructions on many random programs, and shrinks every
difference:

    PYTHONPATH=src python tests/differential/sweep.py FIRST LAST [--shape tiny|default|larger] [--native]

`--native` asks the native search as well, which takes three times as long: it is compiled for each property. The last
lines count programs, states, differences and verdicts.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence

from comparison import Comparison, Search, by_native_search, by_reference, compare
from samples import SHAPES, data_model, seeds_parser, shrunk

from threadproof.core.errors import ThreadproofError
from threadproof.ir.program import DataModel


def kinds(found: Comparison) -> frozenset[str]:
    """What differs, without the details: a shrunk program must show the same."""
    return frozenset(difference.split(":")[0] for difference in found.differences)


def one(seed: int, source: str, model: DataModel, limit: int, searches: Sequence[Search]) -> Comparison:
    """The comparison of one program; what differs is printed."""
    try:
        found = compare(source, limit, model, searches)
    except ThreadproofError as error:
        found = Comparison([f"cannot be compared: {error}"])
        print(f"--- seed {seed} ({model.value})", *found.differences, sep="\n", flush=True)
        return found
    if found.differences:
        small = shrunk(source, lambda text: kinds(compare(text, limit, model, searches)))
        print(f"--- seed {seed} ({model.value})", *found.differences, small, sep="\n", flush=True)
    return found


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--limit", type=int, default=5_000, help="states per program; larger ones are passed over")
    parser.add_argument("--native", action="store_true", help="the native search as well")
    options = parser.parse_args()
    searches = (by_reference, by_native_search) if options.native else (by_reference,)
    started, compared, states, different = time.monotonic(), 0, 0, 0
    verdicts: Counter[str] = Counter()
    for seed in range(options.first, options.last):
        found = one(seed, SHAPES[options.shape](seed), data_model(seed), options.limit, searches)
        compared += not found.too_large
        states += found.states
        different += bool(found.differences)
        verdicts.update(f"{prop} {verdict}" for prop, verdict in found.verdicts.items())
        if seed % 100 == 99:
            print(f"{seed}: {compared} compared, {different} differ, {time.monotonic() - started:.0f} s", flush=True)
    print(*(f"{count:7} {verdict}" for verdict, count in sorted(verdicts.items())), sep="\n")
    passed_over = options.last - options.first - compared
    print(
        f"{compared} programs compared ({passed_over} too large), {states} states by brute force,",
        f"{different} differences, {time.monotonic() - started:.0f} s",
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
