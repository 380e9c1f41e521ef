"""Violation witnesses in YAML, format 2: `violation_sequence`. With several threads it is 2.2: waypoints have a
`thread_id`, threads are numbered as they are created, and main is 0."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

import yaml

from threadproof.core.errors import InputError
from threadproof.witness.malformed import UNREADABLE, Malformed, whole_number, why_unreadable
from threadproof.witness.model import (
    Segment,
    SourcePosition,
    ViolationWitness,
    Waypoint,
    WaypointAction,
    WaypointKind,
)
from threadproof.witness.of_trace import WitnessedRun
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.task import PRODUCER, WitnessTask, sha256, specification

_Entry = dict[str, Any]


# --- writing ---------------------------------------------------------------------------------------------------------


def yaml_text(run: WitnessedRun, task: WitnessTask) -> str:
    threads = any(one.creates for one in run.passed)
    segments: Iterable[Segment] = (*((one.waypoint,) for one in run.passed), run.target)
    lines = metadata_lines("violation_sequence", "2.2" if threads else "2.0", task)
    lines.append("  content:")
    for segment in segments:
        lines.append("  - segment:")
        for waypoint in segment:
            lines += _waypoint(waypoint, threads)
    return "\n".join(lines) + "\n"


def metadata_lines(kind: str, version: str, task: WitnessTask) -> list[str]:
    lines = [f"- entry_type: {kind}", "  metadata:", f'    format_version: "{version}"']
    lines += [f"    uuid: {quoted(task.uuid)}", f"    creation_time: {quoted(task.created)}", "    producer:"]
    lines += [f"      name: {quoted(PRODUCER)}", f"      version: {quoted(task.version)}", "    task:"]
    lines += ["      input_files:", *(f"      - {quoted(file)}" for file in task.files), "      input_file_hashes:"]
    lines += [f"        {quoted(file)}: {quoted(sha256(file))}" for file in task.files]
    lines.append(f"      specification: {quoted(specification(task.property))}")
    return [*lines, f"      data_model: {task.data_model}", "      language: C"]


def _waypoint(waypoint: Waypoint, threads: bool) -> Iterator[str]:
    position = waypoint.position
    yield "    - waypoint:"
    yield f"        type: {waypoint.kind.value}"
    yield f"        action: {waypoint.action.value}"
    if threads and waypoint.thread is not None:
        yield f"        thread_id: {waypoint.thread}"
    if waypoint.constraint:
        yield "        constraint:"
        yield f"          value: {quoted(waypoint.constraint)}"
        if waypoint.kind is WaypointKind.FUNCTION_RETURN:
            yield f"          format: {'ext_c_expression' if threads else 'acsl_expression'}"
        elif waypoint.kind is WaypointKind.ASSUMPTION:
            yield "          format: c_expression"
    yield "        location:"
    yield from location_lines(position, 10)


def location_lines(position: SourcePosition, indent: int) -> Iterator[str]:
    yield f"{' ' * indent}file_name: {quoted(position.file)}"
    yield f"{' ' * indent}line: {position.line}"
    if position.column:
        yield f"{' ' * indent}column: {position.column}"
    if position.function:
        yield f"{' ' * indent}function: {quoted(position.function)}"


def quoted(text: str) -> str:
    """JSON's strings are YAML's."""
    return json.dumps(text, ensure_ascii=False)


# --- reading ---------------------------------------------------------------------------------------------------------


def yaml_entries(file: str) -> list[_Entry]:
    """The entries of a file, as they are."""
    try:
        with open(file, encoding="utf-8") as text:
            found: Any = yaml.load(text, Loader=yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{file}: not YAML: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in cast(list[Any], found)):
        raise InputError(f"{file}: no witness: a list of entries is expected")
    return cast(list[_Entry], found)


def read_yaml(file: str, texts: SourceTexts) -> ViolationWitness:
    """The first sequence of the file."""
    entries = yaml_entries(file)
    sequences = [one for one in entries if one.get("entry_type") == "violation_sequence"]
    if not sequences:
        kinds = ", ".join(sorted({str(one.get("entry_type")) for one in entries})) or "nothing"
        raise InputError(f"{file}: no violation_sequence in it, but {kinds}: there is no execution to replay")
    try:
        task = sequences[0].get("metadata", {}).get("task", {})
        segments = tuple(tuple(_read(one, texts) for one in item["segment"]) for item in sequences[0]["content"])
        hashes = tuple(str(one) for one in dict(task.get("input_file_hashes") or {}).values())
        return ViolationWitness(str(task.get("specification", "")), segments, str(task.get("data_model", "")), hashes)
    except UNREADABLE as error:
        raise InputError(f"{file}: a violation_sequence that cannot be read: {why_unreadable(error)}") from None


def _read(item: Any, texts: SourceTexts) -> Waypoint:
    found = cast(dict[str, Any], item["waypoint"])
    where = cast(dict[str, Any], found["location"])
    constraint = cast(dict[str, Any], found.get("constraint") or {})
    value: Any = constraint.get("value", "")
    if isinstance(value, bool):
        value = "true" if value else "false"
    thread: Any = found.get("thread_id")
    file = texts.named(str(where.get("file_name", "")))
    kinds, actions = {one.value: one for one in WaypointKind}, {one.value: one for one in WaypointAction}
    kind, action = str(found["type"]), str(found.get("action", "follow"))
    if kind not in kinds or action not in actions:
        raise Malformed(f"there is no waypoint of the type {kind} with the action {action}")
    return Waypoint(
        kinds[kind],
        SourcePosition(
            file, whole_number(where, "line"), whole_number(where, "column", 0), str(where.get("function") or "")
        ),
        str(value),
        None if thread is None else str(thread),
        actions[action],
    )
