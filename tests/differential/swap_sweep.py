"""Holds what `swap` says of letters against executing both orders, on random programs, and prints every difference:

    PYTHONPATH=src python tests/differential/swap_sweep.py FIRST LAST [--shape NAME] [--pairs COUNT]

Stops after so many pairs with an assertion, if that is given. The last lines say how often each layer claimed
something, and count programs, pairs (with an assertion; for formulas only), limits, and differences.
"""

from __future__ import annotations

import sys
import time

from comparison import read
from samples import SHAPES, data_model, seeds_parser
from swap_walk import SwapsCompared, compare_swaps

from threadproof.passes.pipeline import normalise


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--pairs", type=int, help="stop after so many pairs with an assertion")
    options = parser.parse_args()
    total, started = SwapsCompared(), time.monotonic()
    for seed in range(options.first, options.last):
        program = normalise(read(SHAPES[options.shape](seed), data_model=data_model(seed)))
        found = compare_swaps(program)
        total.add(found)
        if found.differences:
            print(f"--- seed {seed}", *found.differences, sep="\n", flush=True)
        if options.pairs is not None and total.conditional >= options.pairs:
            break
    print(*(f"{count:6} by {layer.value}" for layer, count in total.claims.most_common()), sep="\n")
    print(
        f"{total.programs} programs, {total.pairs} pairs ({total.conditional} with an assertion, {total.hard} for "
        f"formulas only), {total.limits} limits, {len(total.differences)} differences, "
        f"{total.astray} walks astray, {time.monotonic() - started:.0f} s"
    )
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
