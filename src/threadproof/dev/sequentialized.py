"""How much of a corpus can be sequentialized: `python -m threadproof.dev.sequentialized CORPUS_DIR [--reduction R]`.

Every distinct path of `CORPUS_DIR/INDEX.csv` with the property unreach-call is sequentialized, and the text compiled
with gcc and clang for its data model. What is refused or does not compile without warnings is listed with the reason.
"""

from __future__ import annotations

import argparse
import csv
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from threadproof.codegen.sequential import Options, Reduction, sequentialize
from threadproof.core.errors import ThreadproofError
from threadproof.core.property import Property
from threadproof.dev.acceptance import AcceptanceTask
from threadproof.dev.compilers import complaint, installed
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio.prepare import prepare

REQUIRED_SHARE = 0.95


def tasks_of(corpus: str) -> list[AcceptanceTask]:
    with open(Path(corpus) / "INDEX.csv", encoding="utf-8", newline="") as index:
        rows = [row for row in csv.DictReader(index) if row["property"] == "unreach-call"]
    return list({row["path"]: AcceptanceTask(corpus, row["path"], row["data_model"]) for row in rows}.values())


def refusal(task: AcceptanceTask, options: Options) -> str:
    """Why there is no program that compiles; empty if there is."""
    model = DataModel(task.data_model)
    try:
        path = str(Path(task.corpus) / task.path)
        program = prepare([path], Property.UNREACH_CALL, FrontendOptions(data_model=model, undefined=Taken.PURE))
        text = sequentialize(program, options).text
    except ThreadproofError as error:
        return f"refused: {error}"
    except Exception:  # a survey goes on whatever one file does
        return "internal: " + traceback.format_exc(limit=-3).strip()
    return compiled(text, model)


def compiled(text: str, model: DataModel) -> str:
    """What a compiler complains about."""
    return next((said for one in installed() if (said := complaint(text, model, one))), "")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m threadproof.dev.sequentialized", description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--reduction", choices=[r.value for r in Reduction], default=Reduction.FULL.value)
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    tasks, accepted = tasks_of(options.corpus), 0
    for task in tasks:
        reason = refusal(task, Options(Reduction(options.reduction)))
        accepted += not reason
        if reason:
            print(f"{task.path}: {reason}", flush=True)
    print(f"accepted {accepted} of {len(tasks)} programs ({100 * accepted / max(1, len(tasks)):.2f} %)")
    return 0 if accepted >= REQUIRED_SHARE * len(tasks) else 1


if __name__ == "__main__":
    sys.exit(main())
