"""The published rules of both formats, held against a witness file: which of them it breaks.

Written from the specifications: format 1.0 (D. Beyer and others, Verification Witnesses, TOSEM 2022; README-GraphML of
sv-witnesses, with threads) and format 2 (P. Ayaziová and others, SPIN 2024; the schemas of 2.0 to 2.2). Nothing here
looks at how our own witnesses are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from threadproof.core.errors import InputError
from threadproof.witness.graphml import ARCHITECTURES, EDGE_KEYS, GRAPH_KEYS, NODE_KEYS, WitnessGraph
from threadproof.witness.source_text import SourceText, SourceTexts
from threadproof.witness.task import sha256
from threadproof.witness.yaml_text import yaml_entries

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_HASH = re.compile(r"[0-9a-f]{64}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_VERSIONS = ("2.0", "2.1", "2.2")
_KINDS = ("assumption", "target", "function_enter", "function_return", "branching")
_INVARIANTS = ("loop_invariant", "location_invariant")
_CONDITIONED = ("if", "while", "for", "switch", "do")


def broken_rules(file: str, files: Sequence[str]) -> list[str]:
    """In words. `files` are the sources the witness is about."""
    texts = SourceTexts(files)
    try:
        if file.endswith((".yml", ".yaml")):
            return list(_yaml_rules(yaml_entries(file), texts))
        return list(_graph_rules(WitnessGraph(file), texts))
    except InputError as error:
        return [str(error)]


# --- format 1.0 ------------------------------------------------------------------------------------------------------


def _graph_rules(graph: WitnessGraph, texts: SourceTexts) -> Iterator[str]:
    data = graph.graph
    yield from (f"the graph has no {key}" for key in GRAPH_KEYS if not data.get(key))
    kind = data.get("witness-type")
    if kind not in ("violation_witness", "correctness_witness"):
        yield f"witness-type is {kind}"
    if data.get("sourcecodelang") not in ("C", "Java"):
        yield f"sourcecodelang is {data.get('sourcecodelang')}"
    if data.get("architecture") not in ARCHITECTURES.values():
        yield f"architecture is {data.get('architecture')}"
    if not _TIME.fullmatch(data.get("creationtime", "")):
        yield f"creationtime {data.get('creationtime')} is not in ISO 8601"
    hashes = {sha256(file) for file in texts.files}
    if data.get("programhash", "") not in hashes:
        yield "programhash is not the SHA-256 of the program"
    if len(graph.having("entry")) != 1:
        yield f"{len(graph.having('entry'))} entries instead of one"
    yield from _node_rules(graph, kind == "violation_witness")
    text = texts.of(texts.named(data.get("programfile", "")))
    for number, (source, target, edge) in enumerate(graph.edges):
        yield from (f"edge {number}: no node {node}" for node in (source, target) if node not in graph.nodes)
        yield from (f"edge {number}: {said}" for said in _edge_rules(edge, text, graph))
    yield from _thread_rules(graph)


def _node_rules(graph: WitnessGraph, violation: bool) -> Iterator[str]:
    leaving = {source for source, _, _ in graph.edges}
    if violation and not graph.having("violation"):
        yield "no state is a violation"
    for node, data in graph.nodes.items():
        yield from (f"state {node}: the key {key} is not declared" for key in data if key not in graph.keys)
        for key in ("entry", "violation", "sink"):
            if data.get(key, "false") not in ("true", "false"):
                yield f"state {node}: {key} is {data[key]}"
        if data.get("sink") == "true" and node in leaving:
            yield f"state {node}: an edge leaves a sink"
        wrong = ("invariant", "invariant.scope") if violation else ("violation", "sink")
        yield from (f"state {node}: {key} is not allowed here" for key in wrong if key in data and key in NODE_KEYS)


def _edge_rules(edge: dict[str, str], text: SourceText | None, graph: WitnessGraph) -> Iterator[str]:
    yield from (f"the key {key} is not declared" for key in edge if key not in graph.keys)
    if edge.get("control", "condition-true") not in ("condition-true", "condition-false"):
        yield f"control is {edge['control']}"
    numbers = [key for key, kind in EDGE_KEYS.items() if kind == "int" and key in edge]
    for key in numbers:
        most = None if text is None else text.lines if key.endswith("line") else len(text.text)
        least = 1 if key.endswith("line") else 0
        value = int(edge[key]) if re.fullmatch(r"\d+", edge[key]) else -1
        if value < least or (most is not None and value > most):
            yield f"{key} {edge[key]} is not in the program"
    result = "\\result" in edge.get("assumption", "")
    if result and not edge.get("assumption.resultfunction"):
        yield "\\result without assumption.resultfunction"
    if re.search(r"\b[A-Za-z_]\w*\s*\(", edge.get("assumption", "")):
        yield "a call in an assumption"


def _thread_rules(graph: WitnessGraph) -> Iterator[str]:
    """Along every way: a thread moves after it was created, and enters its function first."""
    if not any("threadId" in edge for _, _, edge in graph.edges):
        return
    [entry, *_] = graph.having("entry") or [""]
    first = [edge for source, _, edge in graph.edges if source == entry]
    main = {edge["threadId"] for edge in first if "threadId" in edge}
    todo = [(entry, frozenset(main), frozenset(main))]
    seen = set(todo)
    while todo:
        node, created, entered = todo.pop()
        for number, (source, target, edge) in enumerate(graph.edges):
            if source != node:
                continue
            thread = edge.get("threadId")
            if thread is not None and thread not in created:
                yield f"edge {number}: thread {thread} moves, but was not created"
                return
            if thread is not None and thread not in entered and "enterFunction" not in edge:
                yield f"edge {number}: thread {thread} has not entered its function"
                return
            now = (created | {edge["createThread"]} if "createThread" in edge else created,)
            after = (target, *now, entered | {thread} if thread is not None else entered)
            if after not in seen:
                seen.add(after)
                todo.append(after)


# --- format 2 --------------------------------------------------------------------------------------------------------


def _yaml_rules(entries: list[dict[str, Any]], texts: SourceTexts) -> Iterator[str]:
    if not entries:
        yield "no entry"
    for entry in entries:
        yield from _metadata_rules(entry.get("metadata"), texts)
        version = str(_mapping(entry.get("metadata")).get("format_version"))
        content = entry.get("content")
        match entry.get("entry_type"):
            case "violation_sequence":
                yield from _sequence_rules(content, version, texts)
            case "invariant_set":
                yield from _invariant_rules(content, texts)
            case "ghost_instrumentation":
                if version == "2.0":
                    yield "ghost_instrumentation is not in 2.0"
                yield from _ghost_rules(_mapping(content), texts)
            case other:
                yield f"entry_type is {other}"


def _metadata_rules(metadata: Any, texts: SourceTexts) -> Iterator[str]:
    if not isinstance(metadata, dict):
        yield "no metadata"
    data = _mapping(metadata)
    version = data.get("format_version")
    if version not in _VERSIONS:
        yield f"format_version is {version}"
    if not _UUID.fullmatch(str(data.get("uuid"))):
        yield f"uuid is {data.get('uuid')}"
    time = data.get("creation_time")
    if not _TIME.fullmatch(time.isoformat() if hasattr(time, "isoformat") else str(time)):  # type: ignore[union-attr]
        yield f"creation_time {time} is not in ISO 8601"
    producer = _mapping(data.get("producer"))
    yield from (f"the producer has no {key}" for key in ("name", "version") if not producer.get(key))
    task = _mapping(data.get("task"))
    named = task.get("input_files")
    if not isinstance(named, list) or not named:
        yield "no input_files"
    hashes = _mapping(task.get("input_file_hashes"))
    for name in map(str, cast(list[Any], named) if isinstance(named, list) else []):
        said, known = str(hashes.get(name)), texts.named(name)
        if not _HASH.fullmatch(said):
            yield f"no SHA-256 of {name}"
        elif known in texts.files and said != sha256(known):
            yield f"the hash of {name} is not that of the program"
    if not isinstance(task.get("specification"), str) or not task.get("specification"):
        yield "no specification"
    if task.get("data_model") not in ("ILP32", "LP64"):
        yield f"data_model is {task.get('data_model')}"
    if task.get("language") != "C":
        yield f"language is {task.get('language')}"


def _sequence_rules(content: Any, version: str, texts: SourceTexts) -> Iterator[str]:
    if not isinstance(content, list) or not content:
        yield "a violation_sequence without segments"
        return
    segments = cast(list[Any], content)
    created = 0
    for number, item in enumerate(segments):
        several: list[Any] = _mapping(item).get("segment") or []
        waypoints = [_mapping(_mapping(one).get("waypoint")) for one in several]
        where = f"segment {number}"
        if not waypoints:
            yield f"{where}: no waypoints"
            continue
        last = number == len(segments) - 1
        follows = [one for one in waypoints if one.get("action") == "follow"]
        targets = [one for one in waypoints if one.get("type") == "target"]
        race = last and version == "2.2" and len(follows) == 2 and follows == targets
        if len(follows) != 1 and not race:
            yield f"{where}: {len(follows)} waypoints to follow instead of one"
        if waypoints[-1].get("action") != "follow":
            yield f"{where}: the last waypoint is not one to follow"
        if bool(targets) != last:
            yield f"{where}: a target is in the last segment, and only there"
        for waypoint in waypoints:
            yield from (f"{where}: {said}" for said in _waypoint_rules(waypoint, version, texts))
            thread = waypoint.get("thread_id")
            if thread is not None and (not isinstance(thread, int) or not 0 <= thread <= created):
                yield f"{where}: thread {thread} was not created"
            created += waypoint.get("type") == "function_enter" and _creates(waypoint, texts)


def _waypoint_rules(waypoint: dict[str, Any], version: str, texts: SourceTexts) -> Iterator[str]:
    kind, action = waypoint.get("type"), waypoint.get("action")
    if kind not in _KINDS:
        yield f"type is {kind}"
        return
    if action not in ("follow", "avoid") or (action == "avoid" and kind == "target"):
        yield f"action of {kind} is {action}"
    if "thread_id" in waypoint and version != "2.2":
        yield f"thread_id is not in {version}"
    constraint = waypoint.get("constraint")
    value = _mapping(constraint).get("value")
    said = _mapping(constraint).get("format")
    match kind:
        case "assumption":
            if not isinstance(value, str) or not value:
                yield "an assumption without a constraint"
            if said not in (None, "c_expression", "ext_c_expression"):
                yield f"format of an assumption is {said}"
        case "branching":
            if str(value).lower() not in ("true", "false") and not isinstance(value, int):
                yield f"the constraint of branching is {value}"
        case "function_return":
            if constraint is not None and "\\result" not in str(value):
                yield "the constraint of function_return is not about \\result"
            if said not in (None, "acsl_expression", "ext_c_expression"):
                yield f"format of a function_return is {said}"
        case _:
            if constraint is not None:
                yield f"a {kind} has no constraint"
    yield from _location_rules(kind, _mapping(waypoint.get("location")), texts)


def _location_rules(kind: str, location: dict[str, Any], texts: SourceTexts) -> Iterator[str]:
    line, column = location.get("line"), location.get("column")
    if not isinstance(line, int) or line < 1:
        yield f"{kind}: no line"
        return
    if not isinstance(location.get("file_name"), str):
        yield f"{kind}: no file_name"
        return
    text = texts.of(texts.named(str(location["file_name"])))
    if text is None:
        return
    if line > text.lines:
        yield f"{kind}: line {line} is not in the program"
    elif column is not None:
        offset = text.offset(line, column) if isinstance(column, int) else None
        if offset is None or offset >= len(text.text):
            yield f"{kind}: column {column} of line {line} is not in the program"
        elif not _is_where_it_must(kind, text, offset):
            yield f"{kind}: at {line}:{column} is not what the format asks for"


def _is_where_it_must(kind: str, text: SourceText, offset: int) -> bool:
    """Statements by their first character, conditions by their keyword, calls by a parenthesis."""
    if kind in ("function_enter", "function_return"):
        return text.text[offset] in "()"
    begins = [one for one in text.statements if one.start == offset]
    if kind in ("branching", "loop_invariant"):
        return any(one.keyword in _CONDITIONED for one in begins) or text.text[offset] == "?"
    return bool(begins)


def _creates(waypoint: dict[str, Any], texts: SourceTexts) -> bool:
    location = _mapping(waypoint.get("location"))
    text = texts.of(texts.named(str(location.get("file_name"))))
    line = location.get("line")
    if text is None or not isinstance(line, int):
        return True
    statement = text.statement(line, location.get("column") or 0)
    return statement is None or any("create" in word for word in text.words(statement))


def _invariant_rules(content: Any, texts: SourceTexts) -> Iterator[str]:
    if not isinstance(content, list):
        yield "an invariant_set without a list"
        return
    for number, item in enumerate(cast(list[Any], content)):
        invariant = _mapping(_mapping(item).get("invariant"))
        where = f"invariant {number}"
        if invariant.get("type") not in _INVARIANTS:
            yield f"{where}: type is {invariant.get('type')}"
            continue
        if not isinstance(invariant.get("value"), str) or not invariant.get("value"):
            yield f"{where}: no value"
        if invariant.get("format") != "c_expression":
            yield f"{where}: format is {invariant.get('format')}"
        location = _mapping(invariant.get("location"))
        yield from (f"{where}: {said}" for said in _location_rules(str(invariant["type"]), location, texts))


def _ghost_rules(content: dict[str, Any], texts: SourceTexts) -> Iterator[str]:
    """Variables are global, have a type and a first value; updates name them, a place and a value."""
    names: set[Any] = set()
    for item in _items(content.get("ghost_variables")):
        ghost, where = _mapping(item), f"ghost variable {_mapping(item).get('name')}"
        if not re.fullmatch(r"[A-Za-z_]\w*", str(ghost.get("name"))) or ghost.get("name") in names:
            yield f"{where}: no name, or that of another"
        if any(re.search(rf"\b{re.escape(str(ghost.get('name')))}\b", text) for text in _sources(texts)):
            yield f"{where}: the program has the name, too"
        names.add(ghost.get("name"))
        if not isinstance(ghost.get("type"), str) or not ghost.get("type"):
            yield f"{where}: no type"
        if ghost.get("scope") != "global":
            yield f"{where}: scope is {ghost.get('scope')}"
        yield from (f"{where}: {said}" for said in _value_rules(_mapping(ghost.get("initial"))))
    if not names:
        yield "a ghost_instrumentation without ghost_variables"
    for number, item in enumerate(_items(content.get("ghost_updates"))):
        found, where = _mapping(item), f"ghost update {number}"
        location = _mapping(found.get("location"))
        yield from (f"{where}: {said}" for said in _location_rules("location_invariant", location, texts))
        updates = _items(found.get("updates"))
        if not updates:
            yield f"{where}: no updates"
        for update in map(_mapping, updates):
            if update.get("variable") not in names:
                yield f"{where}: {update.get('variable')} is no ghost variable"
            yield from (f"{where}: {said}" for said in _value_rules(update))


def _value_rules(found: dict[str, Any]) -> Iterator[str]:
    if not isinstance(found.get("value"), str) or not found.get("value"):
        yield "no value"
    if found.get("format") != "c_expression":
        yield f"format is {found.get('format')}"


def _sources(texts: SourceTexts) -> list[str]:
    return [text.text for text in map(texts.of, texts.files) if text is not None]


def _items(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _mapping(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
