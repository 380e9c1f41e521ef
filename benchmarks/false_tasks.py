"""False tasks of a corpus, measured one by one into a file that can be gone on with."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parents[1] / "tests"

Row = dict[str, str]
Result = dict[str, Any]


def false_tasks(corpus: Path, own: bool = False) -> list[Row]:
    """Properties in turn. The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). `own`: the
    programs of tests/ come behind it, for properties of which a corpus has few."""
    with open(corpus / "INDEX.csv", encoding="utf-8") as index:
        false = [row for row in csv.DictReader(index) if row["expected"] == "false"]
    rows = [row | {"path": str(corpus / row["path"])} for row in false]
    by_property: dict[str, list[Row]] = {}
    for some in (rows, _own_false_tasks() if own else []):
        random.Random("witnesses").shuffle(some)
        for row in some:
            by_property.setdefault(row["property"], []).append(row)
    most = max(map(len, by_property.values()))
    return [several[i] for i in range(most) for several in by_property.values() if i < len(several)]


def _own_false_tasks() -> list[Row]:
    found: list[Row] = []
    for file in (*sorted(TESTS.glob("programs/*/*/expect.yml")), *sorted(TESTS.glob("regressions/*/expect.yml"))):
        expected: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        task = {"path": str(file.parent / "main.c"), "data_model": str(expected.get("data_model", "LP64"))}
        name = str(file.parent.relative_to(TESTS))
        for prop, verdict in (expected.get("verdicts") or {}).items():
            if str(verdict).lower() == "false" and Path(task["path"]).exists():
                found.append({"id": f"{name}#{prop}", "property": str(prop), **task})
    return found


def measure_all(
    rows: Iterable[Row], file: Path, measured: Callable[[Row], Result], counted: str, most: int
) -> list[Result]:
    """Lines are appended as they come, and what is there already is not done again; until `most` results have the key
    `counted`."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    results: list[Result] = [json.loads(line) for line in lines]
    done = {one["id"] for one in results}
    for row in rows:
        if sum(counted in one for one in results) >= most:
            break
        if row["id"] in done:
            continue
        try:
            results.append(measured(row))
        except Exception as error:  # a task that breaks us is a result
            said = f"{type(error).__name__}: {error}"
            results.append({"id": row["id"], "property": row["property"], "verdict": said})
        with open(file, "a", encoding="utf-8") as out:
            out.write(json.dumps(results[-1]) + "\n")
        print(json.dumps(results[-1])[:400], flush=True)
    return results
