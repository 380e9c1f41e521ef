"""Runs on a GPU against one core of the same machine: steps/s, equal results, and time against runs.

python benchmarks/gpu.py [--rates] [--equal] [--growth RUNS] [--plot FILE.svg] [--seconds 2] [--jobs N]

Programs are those of Lodin's paper and, for --equal, 50 random ones: of every run outcome, steps, verdict, value,
score, place and state at the end must be the same on both. --growth estimates fib_32 with so many runs and notes the
time after every tenth power of them.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PAPERS = Path(__file__).parent.parent / "tests" / "papers" / "lodin"
RATED = ("fib_4", "fib_16", "fib_32", "gossip_2", "robot")
RARE, TRUTH = "fib_32", 3.021e-6
RANDOM = 50
RUNS = 2000  # that are compared
COLUMNS = ("kinds", "steps", "verdicts", "values", "scores", "pcs", "details", "finals")


class Prepared(NamedTuple):
    name: str
    program: Any
    monitor: Any
    steps: int
    capacity: Any


def asked_for() -> list[tuple[str, str, tuple[str, ...], str]]:
    """Name, text, defines and query of every program."""
    from threadproof.dev.lodin import TABLE_1
    from threadproof.dev.programs.generate import generate

    papers = [(row.name, (PAPERS / row.file).read_text(), row.defines, row.query) for row in TABLE_1]
    random = [(f"random {seed}", generate(seed), (), "Pr[<=2000] (<> false)") for seed in range(RANDOM)]
    return papers + random


def prepared(task: tuple[str, str, tuple[str, ...], str]) -> Prepared:
    """As the front end reads it, with a machine large enough for the first runs; and what is compiled for the GPU."""
    from threadproof.codegen.device.lanes import gpu_text
    from threadproof.codegen.device.ptx import compiled
    from threadproof.codegen.runs.growing import Growing
    from threadproof.codegen.runs.native import NativeMachine
    from threadproof.codegen.runs.schedulers import Uniform
    from threadproof.engines.smc.language.goal import resolve_query
    from threadproof.engines.smc.sampling.native import monitor_for
    from threadproof.frontend import FrontendOptions, load
    from threadproof.ir.program import Taken
    from threadproof.passes.pipeline import instruction_form
    from threadproof.semantics.run import Granularity, Spurious

    name, text, defines, query = task
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(text, encoding="utf-8")
        program = instruction_form(load([str(path)], FrontendOptions(defines=defines, undefined=Taken.PURE)))
    goal = resolve_query(program, query, None)
    monitor = monitor_for(program, goal.question)
    growing = Growing(NativeMachine(program, Granularity.INSTRUCTION, Spurious.OFF, monitor))
    growing.make(lambda one: one.run_batch(7, 0, RUNS, goal.steps, Uniform()))
    compiled(gpu_text(growing.machine, uniform=True))
    return Prepared(name, program, monitor, goal.steps, growing.machine.capacity)


def machines(one: Prepared) -> tuple[Any, Any]:
    """Of the processor and of the GPU."""
    from threadproof.codegen.device.choice import Device, DeviceChoice
    from threadproof.codegen.runs.native import NativeMachine
    from threadproof.semantics.run import Granularity, Spurious

    fixed = (one.program, Granularity.INSTRUCTION, Spurious.OFF, one.monitor, one.capacity)
    return NativeMachine(*fixed), NativeMachine(*fixed, device=Device(DeviceChoice.GPU))


def rates(found: dict[str, Prepared], seconds: float) -> None:
    from threadproof.codegen.runs.schedulers import Uniform

    print(f"{'program':10} {'steps/run':>10} {'one core':>10} {'GPU':>10} {'ratio':>7}   first batch")
    for name in RATED:
        one = found[name]
        here, there = machines(one)
        began = time.monotonic()
        there.run_batch(1, 0, 1000, one.steps, Uniform())
        ready = time.monotonic() - began
        own = steps = runs = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            made = here.run_batch(1, runs, 2000, one.steps, Uniform())
            runs, own = runs + 2000, own + int(made.steps.sum())
        core = own / (time.process_time() - began)
        size, spent = 1 << 17, 0.0
        while spent < seconds / 2:
            size *= 4
            began = time.monotonic()
            steps = there.sum_batch(1, 0, size, one.steps).steps
            spent = time.monotonic() - began
        gpu = steps / spent
        print(f"{name:10} {steps / size:10.1f} {core:10.3g} {gpu:10.3g} {gpu / core:6.0f}x   {ready:.2f} s", flush=True)


def equal(found: dict[str, Prepared]) -> bool:
    """Whether every program has the same runs on both."""
    from threadproof.codegen.runs.batch import BatchOptions, Finals
    from threadproof.codegen.runs.schedulers import Uniform

    wrong: list[str] = []
    endings: set[int] = set()
    for one in found.values():
        here, there = machines(one)
        wishes = BatchOptions(Finals.KEEP)
        made = [m.run_batch(5, 10**6, RUNS, one.steps, Uniform(), options=wishes) for m in (here, there)]
        endings |= set(np.unique(made[0].kinds).tolist())
        sums = there.sum_batch(5, 10**6, RUNS, one.steps)
        same = all(np.array_equal(getattr(made[0], c), getattr(made[1], c)) for c in COLUMNS)
        if not same or sums.steps != int(made[0].steps.sum()):
            wrong.append(one.name)
        there.close()
    print(f"equal on both: {len(found) - len(wrong)} of {len(found)} programs, {RUNS:,} runs each,", end=" ")
    print(f"{len(endings)} kinds of endings; different: {', '.join(wrong) or 'none'}", flush=True)
    return not wrong


def growth(one: Prepared, runs: int, seconds: float) -> tuple[list[tuple[int, float]], float]:
    """Seconds after so many runs on the GPU, and runs a second of one core."""
    from threadproof.codegen.runs.schedulers import Uniform
    from threadproof.engines.smc.statistics.intervals import clopper_pearson

    here, there = machines(one)
    there.sum_batch(2, 0, 64, one.steps)  # compiled and loaded
    points: list[tuple[int, float]] = []
    done = satisfying = steps = 0
    began = time.monotonic()
    for power in range(4, round(math.log10(runs)) + 1):
        while done < 10**power:
            size = min(10**power - done, 100_000_000)
            sums = there.sum_batch(2, done, size, one.steps)
            done, steps, satisfying = done + size, steps + sums.steps, satisfying + int(sums.counts[1].sum())
        points.append((done, time.monotonic() - began))
        low, high = clopper_pearson(satisfying, done, 0.95)
        print(
            f"{one.name}: {done:.0e} runs {points[-1][1]:9.3f} s {steps / points[-1][1]:9.3g} steps/s  "
            f"{satisfying / done:.5g} [{low:.5g}, {high:.5g}]",
            flush=True,
        )
    print(f"estimate / truth: {satisfying / done / TRUTH:.5f}")
    began, count = time.process_time(), 0
    while time.process_time() - began < seconds:
        here.run_batch(2, count, 2000, one.steps, Uniform())
        count += 2000
    return points, count / (time.process_time() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", action="store_true")
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--growth", type=float, metavar="RUNS")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that compile")
    asked = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        found = {one.name: one for one in pool.imap(prepared, asked_for())}
    if asked.rates:
        rates(found, asked.seconds)
    fine = not asked.equal or equal(found)
    if asked.growth:
        points, core = growth(found[RARE], int(asked.growth), asked.seconds)
        if asked.plot:
            from threadproof.report.growth import draw_growth

            line = [(runs, runs / core) for runs, _ in points]
            text = draw_growth(f"{RARE}: time against runs", "runs", "s", {"GPU": points, "one core": line})
            Path(asked.plot).write_text(text, encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
