from __future__ import annotations

import json
from dataclasses import replace

import pytest

from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.core.schedule import from_json
from threadproof.core.trace import Trace
from threadproof.report.json_report import report, worst
from threadproof.report.lanes import plain
from threadproof.report.terminal import answer_lines, statistics_line, verdict_line

TRUE = Answer(
    Property.NO_DEADLOCK,
    Verdict.TRUE,
    "explicit",
    proof=CompleteExploration(Covered.STATES, {"states": 12}),
    stats={"states": 1200, "complete": True, "rate": 0.5},
    wall_s=0.25,
    cpu_s=0.2,
    peak_mb=58.04,
)
UNKNOWN = Answer(Property.NO_DATA_RACE, Verdict.UNKNOWN, "explicit", reason="time: 20 s were not enough")


@pytest.fixture
def false(trace: Trace) -> Answer:
    return Answer(Property.UNREACH_CALL, Verdict.FALSE, "explicit", trace=trace)


def test_one_property_is_one_object_with_every_field_of_the_contract() -> None:
    data = report([TRUE])
    assert {"verdict", "property", "engine", "reason", "wall_s", "cpu_s", "peak_mb"} <= data.keys()
    assert data["verdict"] == "true"
    assert data["trace"] == []
    assert data["proof"] == {"kind": "complete exploration", "facts": {"states": 12, "cut": []}}
    assert data["stats"]["states"] == 1200
    assert "violated" not in data


def test_a_false_carries_what_replay_needs(false: Answer) -> None:
    data = json.loads(json.dumps(report([false], {"files": ["lost.c"]})))
    assert false.trace is not None
    assert from_json(data["schedule"]) == false.trace.schedule
    assert data["cause"] == "assertion failed: n == 2"
    assert data["location"] == {"file": "lost.c", "line": 13}
    assert data["inputs"] == {"files": ["lost.c"]}
    assert data["trace"][2] == {
        "thread": "T1",
        "file": "lost.c",
        "line": 4,
        "function": "f",
        "events": [{"kind": "read", "text": "reads n = 0", "file": "lost.c", "line": 4}],
    }


def test_a_weak_memory_model_stands_beside_the_verdict() -> None:
    weak = replace(TRUE, memory_model=MemoryModel.TSO)
    assert report([weak])["memory_model"] == "tso"
    assert report([TRUE])["memory_model"] == "sc"
    assert plain(verdict_line(weak)).startswith(f"{TRUE.property.value} under tso: true")
    assert plain(verdict_line(TRUE)).startswith(f"{TRUE.property.value}: true")


def test_several_properties_give_the_worst_verdict_and_all_results(false: Answer) -> None:
    data = report([TRUE, false, UNKNOWN])
    assert data["verdict"] == "false"
    assert [one["verdict"] for one in data["results"]] == ["true", "false", "unknown"]
    assert worst([TRUE, UNKNOWN]) is Verdict.UNKNOWN
    assert worst([TRUE, TRUE]) is Verdict.TRUE


def test_memory_safety_says_which_part(trace: Trace) -> None:
    unsafe = Answer(Property.VALID_MEMSAFETY, Verdict.FALSE, "explicit", violated="valid-free", trace=trace)
    assert report([unsafe])["violated"] == "valid-free"
    assert "valid-memsafety: false — valid-free: assertion failed" in plain(verdict_line(unsafe))


def test_verdict_lines_are_one_sentence(false: Answer) -> None:
    assert plain(verdict_line(false)) == "unreach-call: false — assertion failed: n == 2 at lost.c:13"
    assert plain(verdict_line(UNKNOWN)) == "no-data-race: unknown — timeout: 20 s were not enough"
    assert plain(verdict_line(TRUE)) == "no-deadlock: true — complete exploration"


def test_statistics_are_numbers_only() -> None:
    assert statistics_line(TRUE) == "explicit · 1,200 states · 0.5 rate · 0.25 s · 58 MB"


def test_facts_of_a_proof_are_listed() -> None:
    lines = [plain(line) for line in answer_lines(TRUE, 80)]
    assert "  states: 12" in lines
    assert "  cut: none" in lines
