"""`threadproof smc` from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from xml.dom import minidom

import pytest
from smc_support import LODIN

from threadproof.cli.main import run
from threadproof.core.estimate import Estimate
from threadproof.engines.smc.sampling.jobs import cores, processes
from threadproof.report.smc_report import to_text

FIB = str(LODIN / "fib.c")
ERROR = "Pr[<=5000] (<> [0.VERIFIERError])"


def test_the_json_of_an_estimate(capsys: pytest.CaptureFixture[str]):
    assert run(["smc", FIB, "-q", ERROR, "--width", "0.05", "--seed", "3", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["low"] <= 0.132498 <= data["high"]
    assert data["high"] - data["low"] <= 0.05
    for key in ("estimate", "confidence", "runs", "satisfying", "steps", "wall_s", "steps_per_s"):
        assert key in data


def test_text_plot_and_csv(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    plot, csv, query = tmp_path / "p.svg", tmp_path / "v.csv", tmp_path / "q"
    query.write_text("Estimate [<=500,100] {max i + j}\n")
    page = tmp_path / "made" / "page"
    assert (
        run(
            [
                "smc",
                FIB,
                "--undefined",
                "pure",
                "-q",
                f"@{query}",
                "--plot",
                str(plot),
                "--csv",
                str(csv),
                "--report",
                str(page),
            ]
        )
        == 0
    )
    assert "histogram of the values" in (page / "index.html").read_text(encoding="utf-8")
    assert "100 runs" in capsys.readouterr().out
    assert len(csv.read_text().splitlines()) == 101
    minidom.parse(str(plot))
    assert "histogram" in plot.read_text()


def test_splitting_and_its_saved_states(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out = tmp_path / "s.json"
    arguments = ["smc", FIB, "-q", ERROR, "--splitting", "fixed", "--score", "i+j", "--levels", "3,4"]
    assert run([*arguments, "--repeat", "3", "--budget", "200", "--json", str(out)]) == 0
    data = json.loads(out.read_text())
    assert data["repetitions"] == 3
    assert len(data["levels"][0]) == 3
    reached = data["reached"]
    assert len(reached[0]["schedule"]) == reached[0]["steps"]
    assert "importance splitting" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-q", "Pr[<=5] (<> q)"], "no variable 'q'"),
        (["-q", ERROR, "--indifference", "-1"], "the indifference lies between 0 and 1"),
        (["-q", ERROR, "--confidence", "0.9999999999999999"], "the confidence is at most 1 - 1e-12"),
        (["-q", ERROR, "--runs", "5", "--width", "0.1"], "exclude each other"),
        (["-q", ERROR, "--splitting", "fixed"], "splitting needs --score"),
        (["-q", ERROR, "--splitting", "fixed", "--score", "i"], "needs --levels"),
        (["-q", ERROR, "--splitting", "adaptive", "--score", "i", "--levels", "x"], "levels are numbers"),
        (["-q", "Pr[<=5] ([] i)", "--splitting", "adaptive", "--score", "i"], "importance splitting needs a query"),
        (["-q", ERROR, "--levels", "1"], "go with --splitting"),
        (["-q", ERROR, "--confidence", "1.5"], "between 0 and 1"),
        (["-q", "EnumStatesSMC <=9 9", "--device", "gpu"], "states are counted on the processor"),
        (["-q", ERROR, "--json", "/nosuch/x.json"], "cannot write"),
        (["-q", "@nofile"], "cannot read nofile: No such file or directory: --query @FILE reads"),
        (["-q", "Pr[<=5] (<> i == 1)", "--compare", str(LODIN / "gossip.c"), "--runs", "5"], "gossip.c: query:1:13:"),
    ],
)
def test_what_cannot_be_used_says_why(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]):
    assert run(["smc", FIB, *arguments]) == 3
    assert says in capsys.readouterr().err


def test_time_runs_out_with_what_is_known(capsys: pytest.CaptureFixture[str]):
    assert run(["smc", FIB, "-q", ERROR, "--runs", "100000000", "--timeout", "0.3"]) == 2
    assert "stopped early: time" in capsys.readouterr().out


def test_a_hypothesis_answered_no_is_an_answer(capsys: pytest.CaptureFixture[str]):
    assert run(["smc", FIB, "-q", f"{ERROR} >= 0.9"]) == 0
    assert "answer: no" in capsys.readouterr().out


def test_of_one_run_there_is_a_mean_and_no_interval(capsys: pytest.CaptureFixture[str]):
    assert run(["smc", FIB, "-q", "Estimate [<=500,1] {max i}"]) == 0
    out = capsys.readouterr().out
    assert "an interval needs at least 2 runs" in out
    assert "inf" not in out


def test_splitting_without_a_complete_repetition_is_unknown(capsys: pytest.CaptureFixture[str]):
    asked = ["--splitting", "fixed", "--score", "i+j", "--levels", "3,4,5,6", "--budget", "20000"]
    assert run(["smc", FIB, "-q", ERROR, *asked, "--timeout", "0.001", "--json", "-"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert data["estimate"] is None
    assert data["reason"] == "time: no repetition was completed"


def test_unsupported_runs_are_undecided(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "u.c"
    file.write_text("void strange(int *p); int x; int main(void) { x = 2; strange(&x); return 0; }")
    asked = ["smc", str(file), "-q", "Pr[<=50] (<> x == 1)", "--runs", "20"]
    assert run(asked) == 2
    out = capsys.readouterr().out
    assert "20 undecided" in out
    assert "the function strange, which has no body" in out
    assert f"no body for strange ({file}:1): give the file that defines it" in out
    assert run([*asked, "--undefined", "pure"]) == 0
    said = f"strange ({file}:1) returns any value and changes nothing"
    assert f"assumes: {said}\n" in capsys.readouterr().out
    assert run([*asked, "--undefined", "pure", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["assumptions"] == [said]


@pytest.mark.parametrize("machine", ["native", "reference"])
@pytest.mark.parametrize("kind", [["fixed", "--levels", "1"], ["adaptive"]])
def test_splitting_counts_undecided_runs(
    machine: str, kind: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    file = tmp_path / "u.c"
    file.write_text(
        "int get(void); int __VERIFIER_nondet_int(void); int x, y;\n"
        "int main(void) { y = __VERIFIER_nondet_int(); if (y & 1) x = get(); x++; x++; x++; return 0; }"
    )
    asked = ["smc", str(file), "-q", "Pr[<=50] (<> x == 3)", "--splitting", *kind, "--score", "x"]
    assert run([*asked, "--budget", "20", "--repeat", "2", "--machine", machine, "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["low"] < data["estimate"] < data["high"] == 1
    assert data["undecided"] > 0


def test_a_state_too_large_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "large.c"
    file.write_text("char a[1 << 28]; int x; int main(void) { a[x] = 1; return 0; }")
    assert run(["smc", str(file), "-q", "Pr[<=50] (<> x == 1)"]) == 2
    assert "unknown: the variables have 268 MB, and every run copies them" in capsys.readouterr().out


def test_bounds_are_rounded_outwards():
    made = Estimate("q", "fixed runs", 0.9999999, 0.9999989, 0.123456789, 0.9999999999, 9)
    assert to_text(made).startswith("1  [0.99999, 0.12346] at 99.99999999 %")


def test_no_more_processes_than_cores():
    assert processes(None, 1000) == min(1000, cores())
    assert processes(None, 1) == 1
