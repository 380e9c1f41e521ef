"""The file of results: rows by task, one way to ask, one writer; summaries, differences and what is written of them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.errors import InputError
from threadproof.sweep.export import FORMATS, as_text
from threadproof.sweep.store import SweepRow, opened, read
from threadproof.sweep.summary import difference, summary

TRUE = SweepRow("a", "unreach-call", "true", "1", "true", "bmc", "", 1.0, 1.0, 50.0)
UNKNOWN = replace(TRUE, task="b", expected="false", verdict="unknown", reason="timeout", wall_s=60.0)
WRONG = replace(TRUE, task="c<d>", expected="false")


def test_a_row_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    with opened(file) as store:
        store.add(replace(TRUE, verdict="unknown"))
        store.add(TRUE)
        store.add(UNKNOWN)
    assert read(file) == [TRUE, UNKNOWN]


def test_one_file_has_one_way_to_ask(tmp_path: Path) -> None:
    with opened(str(tmp_path / "r.db")) as store:
        store.belongs_to({"timeout": "60.0", "options": json.dumps(["--engine", "bmc"])})
        store.belongs_to({"timeout": "60.0"})
        with pytest.raises(InputError, match="of a sweep with options --engine bmc, this one has none: name another"):
            store.belongs_to({"options": "[]"})


def test_one_sweep_writes_at_a_time(tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    with opened(file), pytest.raises(InputError, match="in use by another sweep"), opened(file):
        pass


def test_other_files_are_no_results(tmp_path: Path) -> None:
    other = tmp_path / "r.db"
    other.write_text("not a database, but long enough to be looked at as one" * 20, encoding="utf-8")
    with pytest.raises(InputError, match="not a file of results"):
        read(str(other))
    with pytest.raises(InputError, match="not a file of results"), opened(str(other)):
        pass
    with pytest.raises(InputError, match="no such file"):
        read(str(tmp_path / "none.db"))


def test_what_the_engine_counted_stays_with_the_row(tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    with opened(file) as store:
        store.add(replace(TRUE, stats='{"states": 12}'))
    [row] = read(file)
    assert (row.figure("states"), row.figure("nodes"), TRUE.figure("states")) == (12.0, 0.0, 0.0)
    [told] = json.loads(as_text([row], ".json", "r", None))
    assert told["stats"] == {"states": 12}


def test_results_of_an_earlier_version_are_refused_in_words(tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE results (task, property, verdict)")
    with pytest.raises(InputError, match="another version"):
        read(file)
    with pytest.raises(InputError, match="another version"), opened(file):
        pass


def test_scores_are_those_of_the_competition() -> None:
    found = summary([TRUE, UNKNOWN, WRONG])
    assert (found.right, found.wrong, found.score, found.best) == (1, (WRONG,), 2 - 32, 2 + 1 + 1)
    assert found.reasons == {"timeout": 1}
    assert summary([replace(TRUE, expected="")]).best == 0


def test_errors_of_ours_are_told_from_those_of_tasks() -> None:
    bad = replace(UNKNOWN, verdict="error")
    reasons = ("internal error: X: y", "exit code -9", "error: a.c:1: expected expression", "did not end in time")
    rows = [replace(bad, reason=reason) for reason in reasons]
    assert summary(rows).broken == tuple(rows[:2])


def test_what_is_gained_and_lost() -> None:
    before = [TRUE, UNKNOWN, replace(WRONG, verdict="false")]
    now = [replace(TRUE, verdict="unknown"), replace(UNKNOWN, verdict="false"), WRONG]
    found = difference(now, before)
    assert [new.task for _, new in found.lost] == ["a"]
    assert [new.task for _, new in found.gained] == ["b"]
    assert [new.task for _, new in found.contradicts] == ["c<d>"]
    slower = difference([replace(TRUE, wall_s=2.0)], [TRUE, UNKNOWN])
    assert (slower.ratio, slower.common, slower.only_there) == (pytest.approx(2.0), 1, 1)


def test_every_format_has_every_row() -> None:
    rows = [TRUE, UNKNOWN, WRONG]
    for ending in FORMATS:
        text = as_text(rows, ending, "r.db", ("other.db", [replace(TRUE, wall_s=3.0)]))
        assert "timeout" in text
    assert json.loads(as_text(rows, ".json", "r.db", None))[2]["task"] == "c<d>"
    page = as_text(rows, ".html", "r.db", ("other.db", [TRUE]))
    assert "c&lt;d&gt;" in page
    assert "c<d>" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<circle") == 1
