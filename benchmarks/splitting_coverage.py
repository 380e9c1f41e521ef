"""How often the interval of splitting covers a known probability.

python benchmarks/splitting_coverage.py [--program fib_32] [--pool 2000] [--repeat 200] [--draws 5000] [--seed 1]
python benchmarks/splitting_coverage.py [--program fib_32] [--repeat 200] --seeds 1 100

Makes a pool of repetitions of a row of Lodin's Table 2, once each, and draws experiments from it: intervals of so many
repetitions, held against the truth and against the pool's own mean (the pool is finite, too). With `--seeds`, nothing
is drawn: every seed of the range makes all its repetitions, and its interval is the one that users get.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from threadproof.core.estimate import Estimate
from threadproof.dev.lodin import FOLDER, LodinRow, measure, table_2
from threadproof.engines.smc.statistics.intervals import mean_interval, skewed_mean_interval

PERCENT = (1, 10, 50, 90, 99)


def of(row: LodinRow, repeat: int, seed: int) -> Estimate:
    assert row.splitting is not None
    return measure(replace(row, splitting=replace(row.splitting, repeat=repeat)), FOLDER, seed)


def by_seeds(row: LodinRow, truth: float, repeat: int, seeds: range) -> None:
    inside = low = 0
    for seed in seeds:
        made = of(row, repeat, seed)
        inside += made.low <= truth <= made.high
        low += made.high < truth
        said = f"{made.estimate:.4g} [{made.low:.4g}, {made.high:.4g}] {made.wall_s:.0f} s"
        print(f"seed {seed}: {said}; {inside} of {seed - seeds.start + 1} cover {truth:.4g}, {low} too low", flush=True)


def by_drawing(row: LodinRow, truth: float, asked: argparse.Namespace) -> None:
    made = of(row, asked.pool, asked.seed)
    pool = np.array(made.values)
    own = float(pool.mean())
    print(f"{row.name}: {len(pool)} repetitions in {made.wall_s:.0f} s, mean {own / truth:.3f} of the truth")
    print("percentiles", {one: round(float(np.percentile(pool, one)) / truth, 2) for one in PERCENT})
    rng = np.random.default_rng(asked.seed)
    for name, interval in (("Student", mean_interval), ("used", skewed_mean_interval)):
        found = [interval(rng.choice(pool, asked.repeat), 0.95) for _ in range(asked.draws)]
        for said, value in (("truth", truth), ("mean of the pool", own)):
            inside = np.mean([low <= value <= high for low, high in found])
            below = np.mean([high < value for _, high in found])
            print(f"{name:8} {asked.repeat} repetitions: covers the {said} {inside:.3f}, too low {below:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="fib_32", choices=[row.name for row in table_2(FOLDER)])
    parser.add_argument("--pool", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--draws", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FIRST", "LAST"))
    asked = parser.parse_args()
    [row] = [row for row in table_2(FOLDER) if row.name == asked.program]
    assert row.truth is not None
    if asked.seeds:
        by_seeds(row, row.truth, asked.repeat, range(asked.seeds[0], asked.seeds[1] + 1))
    else:
        by_drawing(row, row.truth, asked)


if __name__ == "__main__":
    main()
