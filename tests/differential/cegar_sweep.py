"""The engine `cegar` against `explicit` on random programs with unbounded loops over small domains, and its checker.

    PYTHONPATH=src python tests/differential/cegar_sweep.py FIRST LAST [--seconds S] [--pointers | --configuration NAME]
        [--corrupt-every N] [--log FILE] [--slice S]

In each configuration: what it proves passes the check of its proof, and `explicit` knows no error; what it finds
replays. With `--pointers`: programs with pointers, in all reductions. Then the proofs of every N-th program are
corrupted (`product_corruptions.py`), and must not pass: that takes longer than all the rest. The last line counts what
was compared. With a log, seeds that it has are not asked again and all of it is counted: a long sweep can be made in
slices.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from impact_sweep import DIFFERS, PROPERTY, program_of
from loop_programs import joined_program, loop_program
from pointer_programs import pointer_program

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "evidence"))
from product_corruptions import GENERAL, Product, corrupted

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProduct
from threadproof.core.result import Safe, Unsafe
from threadproof.engines import cegar, explicit
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Rejected, check_proof
from threadproof.evidence.replay import Replay, machine_for
from threadproof.ir.program import Program

CONFIGURATIONS: dict[str, Mapping[str, str | int]] = {
    "values": {"domain": "expl"},
    "predicates": {"domain": "pred-cart"},
    "values, told apart": {"domain": "expl", "maxenum": 8},
    "predicates, all together": {"domain": "pred-bool"},
    "both": {"domain": "prod"},
    "both, in lockstep, three at a time": {"domain": "prod", "order": "lockstep", "counterexamples": 3},
    "predicates, in turn, everything anew": {"domain": "pred-cart", "order": "round-robin", "prune": "full"},
    "both, depth first, without a reduction": {"domain": "prod", "search": "dfs", "por": "none"},
    "predicates by place, of postconditions": {"domain": "pred-cart", "precision": "local", "refinement": "newton-sp"},
}
POINTERS: dict[str, Mapping[str, str | int]] = {
    "no reduction": {"domain": "expl", "por": "none"},
    "static": {"domain": "prod", "por": "static"},
    "dynamic": {"domain": "expl", "por": "dynamic"},
    "abstraction-aware": {"domain": "expl", "por": "aa"},
    "abstraction-aware, with pointers": {"domain": "expl", "por": "aa-pointers", "pointers": "always"},
}
CHECK_S = 300.0


def compared(
    seed: int, seconds: float = 5.0, which: Sequence[str] = tuple(CONFIGURATIONS), corrupts: int = 1
) -> Counter[str]:
    """What was compared; differences raise. Proofs of every `corrupts`-th seed are corrupted."""
    if which[0] in POINTERS:
        source = pointer_program(seed)
    else:
        source = joined_program(seed) if seed % 2 else loop_program(seed)
    found = Counter[str]()
    program = program_of(source)
    known = explicit.check(Task(program, PROPERTY), Budget(seconds), Silent())
    said = type(known).__name__.lower()
    for name in which:
        task = Task(program, PROPERTY, options={**CONFIGURATIONS, **POINTERS}[name])
        result = cegar.check(task, Budget(seconds), Silent())
        found[f"{said}, {name}: {type(result).__name__}"] += 1
        if isinstance(result, Unsafe):
            replayed = Replay(machine_for(program, PROPERTY), PROPERTY).run(result.schedule)
            assert replayed is not None, f"seed {seed}, {name}: a schedule that does not replay\n{source}"
        if isinstance(result, Safe):
            assert not isinstance(known, Unsafe), f"seed {seed}, {name}: proved, but explicit knows an error\n{source}"
            assert isinstance(result.proof, ReducedProduct)
            check = check_proof(program, PROPERTY, result.proof, Budget(CHECK_S))
            assert not isinstance(check, Rejected), f"seed {seed}, {name}: {check.why}\n{source}"
            found["proofs"] += 1
            if seed % corrupts == 0:
                found["corrupted"] += _corrupted(program, result.proof, Random(seed))
    return found


def _corrupted(program: Program, proof: ReducedProduct, rng: Random) -> int:
    """How many corrupted ones were refused."""
    product, refused = Product(program, proof, PROPERTY), 0
    for way in GENERAL:
        wrong = corrupted(product, way, rng)
        if wrong is not None:
            check = check_proof(program, PROPERTY, wrong, Budget(CHECK_S))
            assert isinstance(check, Rejected), f"a corrupted proof passed: {way.__name__}"
            refused += 1
    return refused


def logged(log: Path | None) -> dict[int, Counter[str]]:
    """Seeds that were compared, with what was counted."""
    found: dict[int, Counter[str]] = {}
    if log is not None and log.exists():
        with log.open(newline="", encoding="utf-8") as text:
            for seed, name, often in csv.reader(text):
                found.setdefault(int(seed), Counter())[name] = int(often)
    return found


def keep(log: Path | None, seed: int, counts: Counter[str]) -> None:
    if log is not None:
        with log.open("a", newline="", encoding="utf-8") as text:
            csv.writer(text).writerows((seed, name, often) for name, often in counts.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--seconds", type=float, default=5.0, help="processor time of each search")
    parser.add_argument("--pointers", action="store_true")
    parser.add_argument("--configuration", choices=[*CONFIGURATIONS, *POINTERS], action="append")
    parser.add_argument("--corrupt-every", type=int, default=20)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--slice", type=float, default=float("inf"), help="begin no program after so many seconds")
    options = parser.parse_args()
    budget.clock = time.process_time  # what else the machine does is not counted
    which = options.configuration or (POINTERS if options.pointers else CONFIGURATIONS)
    done, start = logged(options.log), time.monotonic()
    for seed in range(options.first, options.last):
        if seed in done:
            continue
        if time.monotonic() - start > options.slice:
            break
        try:
            done[seed] = compared(seed, options.seconds, tuple(which), options.corrupt_every)
        except AssertionError as difference:
            print(f"seed {seed}: {difference}", flush=True)
            done[seed] = Counter({DIFFERS: 1})
        keep(options.log, seed, done[seed])
    counts = sum(done.values(), Counter[str]())
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    print(f"{len(done)} programs, {counts[DIFFERS]} differences")
    return counts[DIFFERS] > 0


if __name__ == "__main__":
    sys.exit(main())
