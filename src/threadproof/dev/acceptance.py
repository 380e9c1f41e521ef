"""How much of a corpus the front end accepts: `python -m threadproof.dev.acceptance CORPUS_DIR [--jobs N]`.

Every distinct path of `CORPUS_DIR/INDEX.csv` is loaded and brought into normal form. Refusals are listed with
their message; a construct that would make a verdict `unknown` when reached is counted by file.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from threadproof.core.errors import ThreadproofError
from threadproof.frontend.loading import load
from threadproof.frontend.options import FrontendOptions
from threadproof.ir.instr import Unsupported
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.passes.pipeline import normalise

REQUIRED_SHARE = 0.99


@dataclass(frozen=True, slots=True)
class AcceptanceTask:
    corpus: str
    path: str
    data_model: str


@dataclass(frozen=True, slots=True)
class Outcome:
    path: str
    refusal: str  # empty: accepted
    unsupported: tuple[str, ...]  # "construct (line)"
    seconds: float


def try_one(task: AcceptanceTask) -> Outcome:
    started = time.monotonic()
    refusal, constructs = "", ()
    try:
        options = FrontendOptions(data_model=DataModel(task.data_model), undefined=Taken.PURE)
        program = normalise(load([str(Path(task.corpus) / task.path)], options))
        constructs = tuple(sorted(_unsupported(program)))
    except ThreadproofError as error:
        refusal = str(error)
    except Exception:  # a survey goes on whatever one file does
        refusal = "internal: " + traceback.format_exc(limit=-3).strip()
    return Outcome(task.path, refusal, constructs, time.monotonic() - started)


def _unsupported(program: Program) -> set[str]:
    return {f"{instr.construct} ({instr.loc.line})" for instr in program.instrs() if isinstance(instr, Unsupported)}


def tasks_of(corpus: str) -> list[AcceptanceTask]:
    with open(Path(corpus) / "INDEX.csv", encoding="utf-8", newline="") as index:
        found = {row["path"]: AcceptanceTask(corpus, row["path"], row["data_model"]) for row in csv.DictReader(index)}
    return list(found.values())


def _report(outcomes: Sequence[Outcome]) -> float:
    accepted = [outcome for outcome in outcomes if not outcome.refusal]
    for outcome in outcomes:
        if outcome.refusal:
            print(f"{outcome.path}: {outcome.refusal}")
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for outcome in accepted:
        for construct in {re.sub(r" \(\d+\)$", "", found) for found in outcome.unsupported}:
            counts[construct] += 1
            line = next(re.findall(r"\((\d+)\)$", f)[0] for f in outcome.unsupported if f.startswith(construct))
            example.setdefault(construct, f"{outcome.path}:{line}")
    if counts:
        print("\nunsupported when reached (files, construct, example):")
    for construct, files in counts.most_common():
        print(f"{files:6} {construct}  [{example[construct]}]")
    share = len(accepted) / len(outcomes) if outcomes else 1.0
    slowest = max(outcomes, key=lambda outcome: outcome.seconds, default=None)
    print(f"\naccepted {len(accepted)} of {len(outcomes)} files ({100 * share:.2f} %)")
    if slowest is not None:
        mean = sum(outcome.seconds for outcome in outcomes) / len(outcomes)
        print(f"mean {mean:.3f} s, slowest {slowest.seconds:.2f} s ({slowest.path})")
    return share


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m threadproof.dev.acceptance", description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    try:
        tasks = tasks_of(options.corpus)
    except (OSError, KeyError) as error:
        print(f"cannot read the corpus index: {error}", file=sys.stderr)
        return 3
    with multiprocessing.Pool(options.jobs) as pool:
        outcomes = pool.map(try_one, tasks, chunksize=4)
    return 0 if _report(outcomes) >= REQUIRED_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
