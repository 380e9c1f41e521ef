"""False tasks of a corpus, measured one by one into a file that can be gone on with."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Row = dict[str, str]
Result = dict[str, Any]


def false_tasks(corpus: Path) -> list[Row]:
    """Properties in turn. The corpus is a folder with INDEX.csv (id, path, property, expected, data_model)."""
    with open(corpus / "INDEX.csv", encoding="utf-8") as index:
        rows = [row for row in csv.DictReader(index) if row["expected"] == "false"]
    by_property: dict[str, list[Row]] = {}
    for row in rows:
        by_property.setdefault(row["property"], []).append(row)
    for several in by_property.values():
        random.Random("witnesses").shuffle(several)
    most = max(map(len, by_property.values()))
    return [several[i] for i in range(most) for several in by_property.values() if i < len(several)]


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
