"""`threadproof sweep` as a command: asked, killed, continued, compared."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from threadproof.cli.main import ExitCode, run
from threadproof.sweep.store import SweepRow, opened, read

PROGRAMS = {
    "quiet.c": "int main(void) { return 0; }",
    "error.c": "void reach_error(void); int main(void) { reach_error(); return 0; }",
    "broken.c": "int main(void) { return",
}


def _programs(folder: Path) -> Path:
    place = folder / "programs"
    place.mkdir()
    for name, text in PROGRAMS.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_asked_once_and_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, results = _programs(tmp_path), str(tmp_path / "r.db")
    command = ["sweep", str(place), "--results", results, "--timeout", "60", "--jobs", "2"]
    assert run([*command, "--export", str(tmp_path / "r.html")]) == ExitCode.TRUE
    said = capsys.readouterr()
    assert "tasks 3  error 1  false 1  true 1" in said.out
    assert "broken.c" in said.err
    assert [row.verdict for row in read(results)] == ["error", "false", "true"]
    assert "quiet.c" in (tmp_path / "r.html").read_text(encoding="utf-8")

    (place / "quiet.c").write_text(PROGRAMS["error.c"], encoding="utf-8")
    assert run([*command, "--against", results]) == ExitCode.FALSE  # true there, false here
    said = capsys.readouterr()
    assert "2 of 3 tasks are known" in said.err
    assert "contradicts: " in said.out
    assert run(["sweep", "--results", results]) == ExitCode.TRUE
    assert "false 2" in capsys.readouterr().out


def test_a_wrong_verdict_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _programs(tmp_path)
    table = tmp_path / "tasks.csv"
    table.write_text("id,path,property,expected\nquiet,programs/quiet.c,unreach-call,false\n", encoding="utf-8")
    assert run(["sweep", str(table), "--results", str(tmp_path / "r.db"), "--timeout", "60"]) == ExitCode.FALSE
    assert "wrong: quiet unreach-call: true, expected false" in capsys.readouterr().out


def test_an_internal_error_is_in_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, results = _programs(tmp_path), str(tmp_path / "r.db")
    row = SweepRow("odd", "unreach-call", "", "1", "error", "", "internal error: KeyError: 3", 1.0, 1.0, 50.0)
    with opened(results) as store:
        store.add(row)
    assert run(["sweep", "--results", results]) == ExitCode.INTERNAL
    assert "a bug of Threadproof: odd unreach-call: internal error" in capsys.readouterr().out
    assert run(["sweep", str(place / "quiet.c"), "--results", results, "--timeout", "60"]) == ExitCode.TRUE


def test_killed_and_continued(tmp_path: Path) -> None:
    """Wherever it is killed: no row is lost, none is there twice, and what it had started ends with it."""
    place, results = _programs(tmp_path), tmp_path / "r.db"
    command = [sys.executable, "-m", "threadproof", "sweep", str(place), "--results", str(results), "--timeout", "60"]
    known = 0
    for rows in range(len(PROGRAMS)):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while process.poll() is None and _rows(results) <= rows:
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert _rows(results) >= known
        known = _rows(results)
    assert subprocess.run(command, capture_output=True, check=False).returncode == ExitCode.TRUE
    assert [row.verdict for row in read(str(results))] == ["error", "false", "true"]


def _rows(results: Path) -> int:
    try:
        return len(read(str(results)))
    except Exception:  # not there yet, or not whole
        return 0


def test_files_of_a_compilation_database_are_programs_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = _programs(tmp_path)
    (place / "quiet.c").write_text("int main(void) { return CODE; }", encoding="utf-8")
    (place / "part.c").write_text("int part;", encoding="utf-8")
    entry = '{"directory": ".", "file": "%s", "command": "cc -DCODE=0 -Wall -c %s"}'
    entries = ", ".join(entry % (name, name) for name in ("quiet.c", "part.c", "error.c"))
    (place / "compile_commands.json").write_text(f"[{entries}]", encoding="utf-8")
    words = ["sweep", str(place / "compile_commands.json"), "--results", str(tmp_path / "r.db"), "--timeout", "60"]
    assert run(words) == ExitCode.TRUE
    assert "tasks 2  false 1  true 1" in capsys.readouterr().out


def test_asked_by_the_workers_of_a_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    place, results = _programs(tmp_path), str(tmp_path / "r.db")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        command = ["sweep", str(place), "--timeout", "60", "--cluster", cluster.scheduler_address]
        assert run([*command, "--results", results]) == ExitCode.TRUE
        assert run([*command, "--results", results]) == ExitCode.TRUE
        assert "3 of 3 tasks are known" in capsys.readouterr().err
        found = run(["verify", str(place / "error.c"), "--engine", "random", "--cluster", cluster.scheduler_address])
        assert found == ExitCode.FALSE
    assert [row.verdict for row in read(results)] == ["error", "false", "true"]
    assert run([*command, "--results", str(tmp_path / "s.db")]) == ExitCode.UNUSABLE
    assert "no dask scheduler answers there" in capsys.readouterr().err


def test_a_worker_that_sees_other_files_says_so(tmp_path: Path) -> None:
    from threadproof.sweep.runner import HowToAsk, row_there
    from threadproof.sweep.tasks import tasks_of

    [task] = [one for one in tasks_of(str(_programs(tmp_path)), []) if one.name.endswith("quiet.c")]
    row = row_there(task, "of other files", HowToAsk(timeout=60))
    assert (row.verdict, row.reason) == ("error", "a worker of the cluster sees other files")
    assert row_there(task, task.content(), HowToAsk(timeout=60)).verdict == "true"


def test_ctrl_c_on_a_cluster_of_our_own_ends_in_one_sentence(tmp_path: Path) -> None:
    """The terminal sends it to the workers, too, who told of it in tracebacks."""
    pytest.importorskip("distributed")
    place = _programs(tmp_path)
    command = [sys.executable, "-m", "threadproof", "sweep", str(place), "--results", str(tmp_path / "r.db")]
    with subprocess.Popen(
        [*command, "--cluster", "local:2"], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as asked:
        assert asked.stderr is not None
        asked.stderr.readline()  # a row: there are workers
        os.killpg(asked.pid, signal.SIGINT)
        said = asked.stderr.read().splitlines()
    assert [line for line in said if not line.startswith("[")] in ([], ["threadproof: interrupted: unknown"])
