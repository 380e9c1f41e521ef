"""Follows the reference machine with letters through many random programs and prints every difference:

    PYTHONPATH=src python tests/differential/automaton_sweep.py FIRST LAST [--programs FOLDER] [--shape NAME]

`--programs` takes the programs in a folder as well (tests: all of the suite's), in both forms that engines see.
The last line counts programs, instructions, letters that were completed, refusals and differences.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from automaton_walk import Followed, follow
from comparison import read
from merged import merged
from samples import SHAPES, seeds_parser
from step_sweep import batches

from threadproof.core.errors import ThreadproofError
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Taken
from threadproof.passes.pipeline import normalise
from threadproof.portfolio.prepare import Readings, normal_form

MERGEABLE = ("default", "larger", "tiny")
FORMS = (Property.UNREACH_CALL, Property.VALID_MEMSAFETY)


def follow_case(path: Path, walks: int = 3) -> Followed:
    readings, found = Readings([str(path)], FrontendOptions(undefined=Taken.PURE)), Followed()
    for form in FORMS:
        found.add(follow(normal_form(readings.program(form), form), walks))
    found.programs = 1
    return found


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--programs", type=Path, help="the programs in this folder as well")
    options = parser.parse_args()
    total, started = Followed(), time.monotonic()

    def take(name: str, found: Followed) -> None:
        total.add(found)
        if found.differences:
            print(f"--- {name}", *found.differences, sep="\n", flush=True)

    for path in sorted(options.programs.rglob("main.c")) if options.programs else ():
        try:
            take(str(path.parent), follow_case(path))
        except ThreadproofError as error:
            total.refused.append(f"cannot be read: {type(error).__name__}")
    for model, seeds in batches(options.first, options.last):
        texts = [SHAPES[options.shape](seed) for seed in seeds]
        if options.shape in MERGEABLE:  # compiling is most of the work
            program = normalise(read(merged(texts), data_model=model))
            take(f"seeds {seeds}", follow(program, 4, firsts=range(len(seeds))))
        else:
            for seed, text in zip(seeds, texts, strict=True):
                take(f"seed {seed}", follow(normalise(read(text, data_model=model)), 4))
    print(*(f"{count:6} refused: {why}" for why, count in Counter(total.refused).most_common()), sep="\n")
    print(
        f"{total.programs} programs, {total.instructions} instructions, {total.letters} letters, "
        f"{len(total.refused)} refused, {len(total.differences)} differences, {time.monotonic() - started:.0f} s"
    )
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
