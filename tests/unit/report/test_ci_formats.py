"""SARIF and JUnit: what is there, and in what order."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from sarif_rules import broken_sarif

from threadproof.cli.each_file import verify_each
from threadproof.cli.main import run
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.report.junit import junit
from threadproof.report.sarif import sarif

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "deadlock.c")


def test_a_counterexample_has_a_flow_per_thread(tmp_path: Path) -> None:
    out, xml = tmp_path / "o.sarif", tmp_path / "o.xml"
    given = ["-p", "no-deadlock", "--engine", "explicit", "--sarif", str(out), "--junit", str(xml)]
    assert run(["verify", EXAMPLE, *given]) == 1
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["version"] == "2.1.0"
    assert broken_sarif("log", data) == []
    [result] = data["runs"][0]["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("no-deadlock", "fail", "error")
    assert data["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "no-deadlock"
    flows = result["codeFlows"][0]["threadFlows"]
    assert len(flows) >= 2
    assert flows[0]["id"] == "main"
    orders = [one["executionOrder"] for flow in flows for one in flow["locations"]]
    assert sorted(orders) == list(range(1, len(orders) + 1))
    assert all(flow["locations"] for flow in flows)
    [case] = ET.parse(xml).getroot().iter("testcase")
    assert case.get("name") == "no-deadlock"
    assert case.find("failure") is not None


@pytest.mark.parametrize(("verdict", "kind"), [(Verdict.TRUE, "pass"), (Verdict.UNKNOWN, "open")])
def test_without_a_counterexample(verdict: Verdict, kind: str) -> None:
    answer = Answer(Property.UNREACH_CALL, verdict, "explicit", reason='because & "so" <\x01>')
    log = sarif([answer], ["a b.c"], "1")
    assert broken_sarif("log", log) == []
    [result] = log["runs"][0]["results"]
    assert (result["kind"], result["level"]) == (kind, "none")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.c"
    suite = ET.fromstring(junit([answer], ["a b.c"])).find("testsuite")
    assert suite is not None
    assert suite.get("skipped") == ("1" if verdict is Verdict.UNKNOWN else "0")


def test_each_file_is_a_program(tmp_path: Path) -> None:
    part, good, bad = tmp_path / "part.c", tmp_path / "good.c", tmp_path / "bad.c"
    part.write_text("int f(void) { return 1; }\n", encoding="utf-8")
    good.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    bad.write_text("void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n", encoding="utf-8")
    options = ["--engine=explicit"]
    assert verify_each([*options, str(part), str(good)]) == 0
    assert verify_each([*options, str(good), str(bad)]) == 1
