"""The engine `impact` against `explicit` on random programs with unbounded loops over small domains.

    PYTHONPATH=src python tests/differential/impact_sweep.py FIRST LAST [--seconds S] [--strategy NAME]...
        [--shape NAME]... [--log FILE] [--slice S] [--check-every N]

Every `true` has passed the check of its proof, every `false` replays; with `--check-every N` those of every N-th
program, and of the others what the engines claim is compared. Of lockstep trees that are checked, corrupted ones
(`product_corruptions.py`) must not pass. The last line counts what was compared. With a log, seeds
that it has are not asked again and all of it is counted: a long sweep can be made in slices.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import time
from collections import Counter
from enum import Enum
from pathlib import Path
from random import Random

from loop_programs import SHAPES

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "evidence"))
from product_corruptions import GENERAL, Product, corrupted

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.errors import ThreadproofError
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProducts
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe, Verdict
from threadproof.engines import explicit
from threadproof.engines.impact.engine import check
from threadproof.engines.impact.generalise import LabelSource
from threadproof.engines.impact.strategy import ForceCover, ImpossibleLetters, TreeExpansion, TreeStrategy, WorkList
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

STRATEGIES = {
    "spor+fc": TreeStrategy(TreeExpansion.ALL),
    "dpor": TreeStrategy(force_cover=ForceCover.OFF, work_list=WorkList.BREADTH_FIRST),
    "dpor+fc": TreeStrategy(),
    "generalising": TreeStrategy(sources=tuple(LabelSource)),
    "lockstep": TreeStrategy(TreeExpansion.ORDERED),
    "lockstep, impossible letters made": TreeStrategy(
        TreeExpansion.ORDERED, sources=tuple(LabelSource), impossible=ImpossibleLetters.MADE
    ),
    "impossible letters made": TreeStrategy(impossible=ImpossibleLetters.MADE),
    "dpor+fc breadth first": TreeStrategy(work_list=WorkList.BREADTH_FIRST),
}
PROPERTY = Property.UNREACH_CALL
DIFFERS, REFUSED = "difference", "corrupted proofs, all refused"
CHECK_S = 300.0


def program_of(source: str, prop: Property = PROPERTY) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(source, encoding="utf-8")
        return prepare([str(path)], prop, FrontendOptions())


class Evidence(Enum):
    CHECKED = "checked"
    CLAIMED = "claimed"


def compared(
    seed: int,
    seconds: float = 5.0,
    strategies: dict[str, TreeStrategy] = STRATEGIES,
    shape: str = "loops",
    evidence: Evidence = Evidence.CHECKED,
) -> dict[str, str]:
    """What each says; differences are not in it, they raise."""
    source = SHAPES[shape](seed)
    program = program_of(source)
    task = Task(program, PROPERTY)
    expected = said(program, "explicit", explicit.check(task, Budget(seconds), Silent()), evidence)
    found = {"explicit": expected}
    for name, strategy in strategies.items():
        result = check(task, Budget(seconds), Silent(), strategy)
        answer = said(program, "impact", result, evidence)
        if {answer, expected} == {Verdict.TRUE.value, Verdict.FALSE.value}:
            raise AssertionError(f"seed {seed}: explicit {expected}, impact ({name}) {answer}\n{source}")
        found[name] = answer
        if isinstance(result, Safe) and isinstance(result.proof, ReducedProducts) and evidence is Evidence.CHECKED:
            found[f"{name}: {REFUSED}"] = str(refused(program, result.proof, Random(seed)))
    return found


def refused(program: Program, proof: ReducedProducts, rng: Random, ways: int = 3) -> int:
    """Of corrupted ones: how many were made, all of which the checker rejected."""
    place, often = rng.randrange(len(proof.parts)), 0
    product = Product(program, proof.parts[place], PROPERTY)
    for way in rng.sample(GENERAL, ways):
        wrong = corrupted(product, way, rng)
        if wrong is not None:
            parts = (*proof.parts[:place], wrong, *proof.parts[place + 1 :])
            found = check_proof(program, PROPERTY, ReducedProducts(parts), Budget(CHECK_S))
            assert not isinstance(found, Accepted), f"{way.__name__} is accepted"
            often += 1
    return often


def said(program: Program, engine: str, result: Result, evidence: Evidence) -> str:
    """The verdict, with the reason if it is `unknown`."""
    if evidence is Evidence.CHECKED:
        answer = judge(program, PROPERTY, engine, result, Budget(300.0))
        return f"unknown: {answer.reason}" if answer.verdict is Verdict.UNKNOWN else answer.verdict.value
    match result:
        case Safe():
            return Verdict.TRUE.value
        case Unsafe():
            return Verdict.FALSE.value
        case Unknown():
            return f"unknown: {result.reason}"


def logged(log: Path | None) -> dict[int, dict[str, str]]:
    """Seeds that were compared, with what each said."""
    found: dict[int, dict[str, str]] = {}
    if log is not None and log.exists():
        with log.open(newline="", encoding="utf-8") as text:
            for seed, name, answer in csv.reader(text):
                found.setdefault(int(seed), {})[name] = answer
    return found


def keep(log: Path | None, seed: int, found: dict[str, str]) -> None:
    if log is not None:
        with log.open("a", newline="", encoding="utf-8") as text:
            csv.writer(text).writerows((seed, name, answer) for name, answer in found.items())


def summary(found: dict[int, dict[str, str]]) -> int:
    said = ((name, answer) for answers in found.values() for name, answer in answers.items() if REFUSED not in name)
    counts = Counter(f"{name} {answer[:60]}" for name, answer in said)
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    wrong = sum(int(answer) for answers in found.values() for name, answer in answers.items() if REFUSED in name)
    print(f"{wrong} corrupted proofs of lockstep trees, all refused")
    differences = sum(DIFFERS in answers for answers in found.values())
    print(f"{len(found)} programs, {differences} differences")
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--seconds", type=float, default=5.0, help="processor time of each search")
    parser.add_argument("--strategy", choices=[*STRATEGIES], action="append")
    parser.add_argument("--shape", choices=[*SHAPES], action="append", help="several: by turns")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--slice", type=float, default=float("inf"), help="begin no program after so many seconds")
    parser.add_argument("--check-every", type=int, default=1, help="check the evidence of every so many-th program")
    options = parser.parse_args()
    budget.clock = time.process_time  # what else the machine does is not counted
    strategies = {name: STRATEGIES[name] for name in options.strategy or STRATEGIES}
    shapes = options.shape or ["loops"]
    done, start = logged(options.log), time.monotonic()
    for seed in range(options.first, options.last):
        if seed in done:
            continue
        if time.monotonic() - start > options.slice:
            break
        evidence = Evidence.CLAIMED if seed % options.check_every else Evidence.CHECKED
        try:
            done[seed] = compared(seed, options.seconds, strategies, shapes[seed % len(shapes)], evidence)
        except (AssertionError, ThreadproofError) as difference:  # a proof that is rejected is an internal error
            print(f"seed {seed}: {difference}", flush=True)
            done[seed] = {DIFFERS: str(difference).splitlines()[0]}
        keep(options.log, seed, done[seed])
    return summary(done) > 0


if __name__ == "__main__":
    sys.exit(main())
