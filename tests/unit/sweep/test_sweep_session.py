"""A sweep with a file: what it has is not asked again, changed tasks are, and another program may be asked."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from threadproof.core.property import Property
from threadproof.sweep.runner import HowToAsk
from threadproof.sweep.session import swept
from threadproof.sweep.store import SweepRow
from threadproof.sweep.tasks import SweepTask

ANSWERS = """
import json, sys
out = sys.argv[sys.argv.index("--json") + 1]
json.dump({"verdict": "true", "engine": "bmc", "stats": {"events": 7}}, open(out, "w"))
"""


def test_only_what_is_not_known_is_asked(tmp_path: Path) -> None:
    files = [tmp_path / "a.c", tmp_path / "b.c"]
    for file in files:
        file.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    tasks = [SweepTask(file.name, (str(file),), Property.UNREACH_CALL, "true") for file in files]
    how = HowToAsk(timeout=10.0, program=(sys.executable, "-c", ANSWERS))
    left: list[int] = []
    told: list[SweepRow] = []

    def again() -> list[SweepRow]:
        return swept(tasks, how, str(tmp_path / "r.db"), begun=left.append, tell=told.append)

    rows = again()
    assert [(row.task, row.verdict, row.figure("events")) for row in rows] == [("a.c", "true", 7), ("b.c", "true", 7)]
    assert again() == rows
    files[1].write_text("int main(void) { return 1; }\n", encoding="utf-8")
    tasks.append(replace(tasks[0], name="c.c"))
    assert [row.task for row in again()] == ["a.c", "b.c", "c.c"]
    assert left == [2, 0, 2]
    assert len(told) == 4
