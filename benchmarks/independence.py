"""Which layer of `independence` decides how many pairs of letters, and at what cost.

    python benchmarks/independence.py FOLDER_OR_FILE... [--sample 40] [--pairs 300] [--seconds 20] [--seed 0]

Takes so many programs (.c, .i) of each folder at random, and of each so many pairs of letters of two threads that
others can notice, within so many seconds. Prints for each layer how many pairs it decided, and the time spent in it,
also where it passed them on; then how solvers were spared, and which programs could not be asked.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from threadproof.automaton import CannotUnfold, program_automaton
from threadproof.core.errors import ThreadproofError
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.frontend import FrontendOptions
from threadproof.independence import Always, Inclusion, LayerName, Swaps, When
from threadproof.independence.dependence_table import letter_pairs, open_swaps
from threadproof.portfolio.prepare import prepare


class Totals:
    def __init__(self) -> None:
        self.decided: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.spared: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.programs = 0
        self.unfinished = 0

    def add(self, swaps: Swaps) -> None:
        self.programs += 1
        for name, cost in swaps.costs.items():
            self.seconds[name.value] += cost.seconds
        counts = swaps.inclusions.counts
        for name in ("by_looking", "by_proof", "by_model", "by_solver", "undecided"):
            self.spared[name] += getattr(counts, name)

    def show(self, title: str) -> None:
        pairs = sum(self.decided.values())
        print(f"{title}: {self.programs} programs, {pairs} pairs, {self.unfinished} programs out of time")
        print(f"  {'layer':24} {'pairs':>7} {'share':>7} {'seconds':>9} {'ms a pair':>10}")
        for name in [*(layer.value for layer in LayerName), "nobody"]:
            count, spent = self.decided[name], self.seconds[name]
            each = f"{1000 * spent / pairs:10.3f}" if pairs else ""
            print(f"  {name:24} {count:7} {count / max(pairs, 1):7.1%} {spent:9.2f} {each}")
        print("  answers: " + ", ".join(f"{name} {count}" for name, count in self.answers.most_common()))
        print("  inclusions: " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in self.spared.items()))
        for why, count in self.refused.most_common(6):
            print(f"  {count} programs refused: {why}")


def programs(place: Path, sample: int, rng: Random) -> list[Path]:
    if place.is_file():
        return [place]
    found = sorted(path for path in place.rglob("*") if path.suffix in (".c", ".i"))
    preprocessed = {path.stem for path in found if path.suffix == ".i"}
    found = [path for path in found if path.suffix == ".i" or path.stem not in preprocessed]
    return sorted(rng.sample(found, min(sample, len(found))))


def ask(path: Path, most: int, seconds: float, rng: Random, totals: Totals) -> None:
    try:
        program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())
        swaps = open_swaps(program, program_automaton(program))
        pairs = list(letter_pairs(swaps))
    except (CannotUnfold, CannotEncode, ThreadproofError) as why:
        totals.refused[str(why).split(" (")[0][:80]] += 1
        return
    end = time.monotonic() + seconds
    for a, b in rng.sample(pairs, min(most, len(pairs))):
        answer = swaps.swap(a, b)
        totals.decided["nobody" if answer.by is None else answer.by.value] += 1
        totals.answers[next(_names(answer))] += 1
        if time.monotonic() > end:
            totals.unfinished += 1
            break
    totals.add(swaps)


def _names(answer: object) -> Iterator[str]:
    for kind, name in ((Always, "always"), (Inclusion, "one way"), (When, "under a condition")):
        if isinstance(answer, kind):
            yield name
    yield "never"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for place in options.places:
        rng, totals = Random(options.seed), Totals()
        for path in programs(place, options.sample, rng):
            ask(path, options.pairs, options.seconds, rng, totals)
        totals.show(place.name)


if __name__ == "__main__":
    main()
