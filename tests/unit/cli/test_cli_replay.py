from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from threadproof.cli.progress import describe
from threadproof.cli.replay import read_trace
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move

SCHEDULE = [{"thread": [], "choices": []}, {"thread": [0], "choices": [3]}]
FALSE = {"verdict": "false", "property": "no-deadlock", "schedule": SCHEDULE}
OTHER = {"verdict": "false", "property": "unreach-call", "schedule": SCHEDULE[:1]}
TRUE = {"verdict": "true", "property": "no-data-race", "trace": []}


def written(folder: Path, data: Any) -> str:
    path = folder / "trace.json"
    path.write_text(json.dumps(data))
    return str(path)


def test_a_single_report(tmp_path: Path) -> None:
    asked, schedule, model = read_trace(written(tmp_path, FALSE), None)
    assert asked is Property.NO_DEADLOCK
    assert schedule == (Move(()), Move((0,), (3,)))
    assert model is MemoryModel.SC, "traces from before there were others"
    tso = FALSE | {"memory_model": "tso"}
    assert read_trace(written(tmp_path, tso), None)[2] is MemoryModel.TSO


def test_the_first_counterexample_of_several_or_the_one_named(tmp_path: Path) -> None:
    file = written(tmp_path, {"verdict": "false", "results": [TRUE, FALSE, OTHER]})
    assert read_trace(file, None)[0] is Property.NO_DEADLOCK
    assert read_trace(file, "unreach-call")[0] is Property.UNREACH_CALL


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (TRUE, "no counterexample"),
        ([], "not a report"),
        ({"results": 3}, "not a report"),
        ({"property": "no-deadlock", "schedule": [{"thread": 1}]}, "not one that verify --json wrote"),
        ({"schedule": []}, "not one that verify --json wrote"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, data: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_trace(written(tmp_path, data), None)


def test_progress_reads_like_a_sentence() -> None:
    assert describe("exploring", {"states": 12345, "per_second": 1.5}, 3.21) == (
        "exploring · 12,345 states · 1.50 per second · 3.2 s"
    )
