"""Holds Hoare triples against the reference machine on many random programs and prints every difference:

    PYTHONPATH=src python tests/differential/triples_sweep.py FIRST LAST [--shape NAME]

The last line counts questions by the test that had the answer, and differences.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from comparison import read
from samples import SHAPES, data_model, seeds_parser
from triples_walk import compare_triples

from threadproof.passes.pipeline import normalise


def main() -> int:
    options = seeds_parser(__doc__).parse_args()
    total, wrong, started = Counter[str](), 0, time.monotonic()
    for seed in range(options.first, options.last):
        program = normalise(read(SHAPES[options.shape](seed), data_model=data_model(seed)))
        asked, differences = compare_triples(program)
        total += asked
        wrong += len(differences)
        if differences:
            print(f"--- seed {seed}", *differences, sep="\n", flush=True)
    rows = ", ".join(f"{name} {count}" for name, count in sorted(total.items()))
    print(f"{options.last - options.first} programs: {rows}; {wrong} differences, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
