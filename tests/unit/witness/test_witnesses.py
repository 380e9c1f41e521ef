"""Witnesses of both formats: they keep the published rules, and replay confirms them and nothing else."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from witness_cases import BODIES, HEAD, OPTIONS, found

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.portfolio import prepare
from threadproof.witness.follow import Confirmed, NotConfirmed, follow
from threadproof.witness.graphml import graphml_text, read_graphml
from threadproof.witness.model import ViolationWitness, WaypointKind
from threadproof.witness.of_trace import witnessed_run
from threadproof.witness.rules import broken_rules
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.task import WitnessTask
from threadproof.witness.yaml_text import read_yaml, yaml_text

ENDINGS = (".yml", ".graphml")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("witnesses"))


def written(name: str, folder: str, ending: str) -> str:
    file, program, prop, trace = found(name, folder)
    run = witnessed_run(program, prop, trace, [file])
    path = f"{file}{ending}"
    task = WitnessTask((file,), prop, "LP64")
    Path(path).write_text((yaml_text if ending == ".yml" else graphml_text)(run, task), encoding="utf-8")
    return path


def read(path: str, file: str) -> ViolationWitness:
    return (read_yaml if path.endswith(".yml") else read_graphml)(path, SourceTexts([file]))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", BODIES)
def test_witnesses_keep_the_rules_and_are_confirmed(name: str, ending: str, folder: str) -> None:
    path = written(name, folder, ending)
    file, program, prop, _ = found(name, folder)
    assert broken_rules(path, [file]) == []
    result = follow(program, prop, read(path, file), [file], Budget(60))
    assert isinstance(result, Confirmed), result


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", BODIES)
def test_what_is_left_out_is_searched(name: str, ending: str, folder: str) -> None:
    file, program, prop, _ = found(name, folder)
    witness = read(written(name, folder, ending), file)
    kept = [one for one in witness.segments[:-1] if random.Random(f"{name} {one}").random() < 0.5]
    result = follow(program, prop, replace(witness, segments=(*kept, witness.segments[-1])), [file], Budget(60))
    assert isinstance(result, Confirmed), result


def test_values_are_in_the_witness(folder: str) -> None:
    file, *_ = found("lost update", folder)
    said = [
        one.constraint for segment in read(written("lost update", folder, ".yml"), file).segments for one in segment
    ]
    assert "\\result == 5" in said
    assert said.count("x == 0") >= 2


def test_of_a_race_both_accesses_are_in_the_last_segment(folder: str) -> None:
    file, *_ = found("race", folder)
    last = read(written("race", folder, ".yml"), file).segments[-1]
    assert {one.kind for one in last} == {WaypointKind.TARGET}
    assert {one.thread for one in last} == {"0", "1"}


def test_a_correct_program_confirms_nothing(folder: str) -> None:
    """The witness of the program without the lock, for the one with it: lines and names are the same."""
    file, _, prop, _ = found("lost update", folder)
    witness = read(written("lost update", folder, ".yml"), file)
    body = BODIES["lost update"][1].replace("int t = x;", "int t = x + !(y - y);").replace("x == 1)", "x == 3)")
    other = Path(folder) / "correct.c"
    other.write_text(HEAD + body, encoding="utf-8")
    named = [tuple(replace(w, position=replace(w.position, file=str(other))) for w in s) for s in witness.segments]
    program = prepare([str(other)], prop, OPTIONS)
    result = follow(program, prop, replace(witness, segments=tuple(named)), [str(other)], Budget(20))
    assert isinstance(result, NotConfirmed)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_violation_elsewhere_is_told_but_confirms_nothing(ending: str, folder: str) -> None:
    body = (
        "int main(void) {\n  y = 1;\n  if (x == 0) reach_error();\n  if (y == 1)\n    reach_error();\n  return 0;\n}\n"
    )
    file = Path(folder) / "two.c"
    file.write_text(HEAD + body, encoding="utf-8")
    lines = (HEAD + body).splitlines()
    last = 1 + max(i for i, line in enumerate(lines) if "reach_error();" in line)
    text = f"""- entry_type: violation_sequence
  metadata: {{task: {{specification: "G ! call(reach_error())"}}}}
  content:
  - segment:
    - waypoint: {{type: target, action: follow, location: {{file_name: two.c, line: {last}}}}}
"""
    path = Path(folder) / "two.yml"
    path.write_text(text, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, OPTIONS)
    result = follow(program, Property.UNREACH_CALL, read(str(path), str(file)), [str(file)], Budget(20))
    assert isinstance(result, NotConfirmed)
    assert result.elsewhere is not None


FOREIGN = """- entry_type: "violation_sequence"
  metadata:
    format_version: "2.2"
    uuid: "c2d3e4f5-a6b7-4890-bcde-f01234567890"
    creation_time: "2026-06-12T12:00:00Z"
    producer: {name: "by hand", version: "1"}
    task: {input_files: [elsewhere/lost_update.c], specification: "G ! call(reach_error())", data_model: LP64}
  content:
  - segment:
    - waypoint: {type: function_return, action: follow, thread_id: 0,
        constraint: {value: "\\\\result == 5", format: ext_c_expression},
        location: {file_name: elsewhere/lost_update.c, line: 14}}
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 7, constraint: {value: "x == 0"},
        location: {file_name: elsewhere/lost_update.c, line: 9}}
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 4, constraint: {value: "x == 1"},
        location: {file_name: elsewhere/lost_update.c, line: 10}}
  - segment:
    - waypoint: {type: target, action: follow, thread_id: 0,
        location: {file_name: elsewhere/lost_update.c, line: 19, column: 28}}
"""


def test_witnesses_of_others_are_followed(folder: str) -> None:
    """Other paths, other numbers of threads, few waypoints, missing data."""
    file, program, prop, _ = found("lost update", folder)
    path = Path(folder) / "foreign.yml"
    path.write_text(FOREIGN, encoding="utf-8")
    assert broken_rules(str(path), [file]) != []
    result = follow(program, prop, read(str(path), file), [file], Budget(60))
    assert isinstance(result, Confirmed), result


WAYPOINT = "- entry_type: violation_sequence\n  content: [{segment: [{waypoint: {type: target, location: {line: 1}}}]}]"
CORRUPTIONS = [
    (".yml", "action: follow", "action: lead"),
    (".yml", "type: target", "type: assumption"),
    (".yml", 'format_version: "2.2"', 'format_version: "2.0"'),
    (".yml", "thread_id: 1", "thread_id: 9"),
    (".yml", "data_model: LP64", "data_model: LP65"),
    (".yml", "language: C", "language: Ada"),
    (".yml", "line: 9", "line: 999"),
    (".yml", "column: 3", "column: 4"),
    (".yml", "c_expression", "prose"),
    (".yml", 'value: "x == 0"', 'value: ""'),
    (".yml", 'uuid: "', 'uuid: "x'),
    (".graphml", "violation_witness", "witness"),
    (".graphml", 'key="entry">true', 'key="entry">false'),
    (".graphml", 'key="violation">true', 'key="violation">false'),
    (".graphml", "condition-true", "condition-maybe"),
    (".graphml", 'key="programhash">', 'key="programhash">0'),
    (".graphml", 'key="creationtime">2', 'key="creationtime">20-2'),
    (".graphml", 'target="N3"', 'target="N333"'),
    (".graphml", '<data key="createThread">1</data>', ""),
    (".graphml", '<data key="enterFunction">inc</data>', ""),
    (".graphml", 'key="startline">9', 'key="startline">900'),
    (".graphml", '<data key="assumption.resultfunction">__VERIFIER_nondet_int</data>', ""),
    (".graphml", 'id="control"', 'id="steering"'),
]


@pytest.mark.parametrize(("ending", "old", "new"), CORRUPTIONS)
def test_broken_rules_are_noticed(ending: str, old: str, new: str, folder: str) -> None:
    path = written("lost update", folder, ending)
    file, *_ = found("lost update", folder)
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    other = Path(folder) / f"broken{ending}"
    other.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert broken_rules(str(other), [file]) != []


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (".yml", "a: ["),
        (".yml", "a: 1"),
        (".yml", "- entry_type: invariant_set"),
        (".yml", "- entry_type: violation_sequence\n  content: [{segment: [{waypoint: {type: stop}}]}]"),
        (".graphml", "<graphml"),
        (".graphml", "<graphml/>"),
        (".graphml", "<graphml><graph/></graphml>"),
        (".yml", WAYPOINT.replace("line: 1", "line: one")),
        (".yml", WAYPOINT.replace("line: 1", "")),
        (".yml", WAYPOINT.replace("{line: 1}", "7")),
        (".yml", WAYPOINT.replace("target", "[target]")),
        (".yml", "- entry_type: invariant_set\n  content: [{invariant: 3}]"),
    ],
)
def test_files_that_are_no_witnesses_are_refused_in_words(ending: str, text: str, folder: str) -> None:
    path = Path(folder) / f"none{ending}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read(str(path), f"{folder}/none.c")
    assert not re.search("object|int\\(|literal|<class|indices|WaypointKind", str(refused.value))
