"""Holds letters as formulas against the reference machine on many random programs and prints every difference:

    PYTHONPATH=src python tests/differential/transitions_sweep.py FIRST LAST [--programs FOLDER] [--shape NAME]

`--programs` takes the programs in a folder as well. The last lines say what had no formula, and count programs, letters
that were made, letters that were rightly refuted, traps, states made from models, limits of the formulas, differences.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from comparison import read
from samples import SHAPES, data_model, scopes, seeds_parser
from step_sweep import load_case
from transitions_compared import Compared
from transitions_walk import compare

from threadproof.core.errors import ThreadproofError
from threadproof.passes.pipeline import normalise


def compare_case(path: Path, walks: int = 3) -> Compared:
    return compare(normalise(load_case(path)), walks)


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--programs", type=Path, help="the programs in this folder as well")
    parser.add_argument("--walks", type=int, default=2, help="of each program")
    options = parser.parse_args()
    total, started = Compared(), time.monotonic()

    def take(name: str, found: Compared) -> None:
        total.add(found)
        if found.differences:
            print(f"--- {name}", *found.differences, sep="\n", flush=True)

    for path in sorted(options.programs.rglob("main.c")) if options.programs else ():
        try:
            take(str(path.parent), compare_case(path))
        except ThreadproofError as error:
            total.refused[f"cannot be read: {type(error).__name__}"] += 1
    for seed in range(options.first, options.last):
        if seed % 250 == 0:
            print(f"... {seed}: {total}", flush=True)
        text = SHAPES[options.shape](seed)
        program = read(text, data_model=data_model(seed), scopes=scopes(seed))
        take(f"seed {seed}", compare(normalise(program), options.walks))
    print(*(f"{count:6} refused: {why}" for why, count in total.refused.most_common()), sep="\n")
    print(f"{total}, {time.monotonic() - started:.0f} s")
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
