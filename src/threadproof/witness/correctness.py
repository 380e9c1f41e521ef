"""Correctness witnesses: written and read in both formats.

YAML: an `invariant_set` of `loop_invariant` and `location_invariant`, in format 2.0; with ghost variables a
`ghost_instrumentation` stands before it, and both are 2.1. GraphML 1.0 has a state for each place with invariants, and
edges into it from all states: what holds there holds whichever thread comes there, and whenever. It has no ghosts, so
invariants that speak of some are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from threadproof.core.errors import InputError
from threadproof.witness.graphml import ARCHITECTURES, WitnessGraph, document, edge_line, node_line
from threadproof.witness.malformed import UNREADABLE, Malformed, is_whole_number, whole_number, why_unreadable
from threadproof.witness.model import (
    CorrectnessWitness,
    GhostUpdate,
    GhostVariable,
    SourcePosition,
    StateInvariant,
)
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts
from threadproof.witness.task import WitnessTask
from threadproof.witness.yaml_text import location_lines, metadata_lines, quoted, yaml_entries

KIND = "correctness_witness"


def is_correctness(file: str) -> bool:
    """Of a file that is a witness."""
    if file.endswith((".yml", ".yaml")):
        return all(one.get("entry_type") in ("invariant_set", "ghost_instrumentation") for one in yaml_entries(file))
    return WitnessGraph(file).graph.get("witness-type") == KIND


# --- YAML ------------------------------------------------------------------------------------------------------------


def correctness_yaml(witness: CorrectnessWitness, task: WitnessTask) -> str:
    version = "2.1" if witness.ghosts else "2.0"
    lines = list(_ghost_lines(witness, task)) if witness.ghosts else []
    lines += metadata_lines("invariant_set", version, task)
    if not witness.invariants:
        return "\n".join([*lines, "  content: []"]) + "\n"
    lines.append("  content:")
    for one in witness.invariants:
        lines += ["  - invariant:", f"      type: {'loop' if one.loop else 'location'}_invariant", "      location:"]
        lines += location_lines(one.position, 8)
        lines += [f"      value: {quoted(one.value)}", "      format: c_expression"]
    return "\n".join(lines) + "\n"


def _ghost_lines(witness: CorrectnessWitness, task: WitnessTask) -> Iterator[str]:
    yield from metadata_lines("ghost_instrumentation", "2.1", task)
    yield "  content:"
    yield "    ghost_variables:"
    for one in witness.ghosts:
        yield from (f"    - name: {quoted(one.name)}", f"      type: {quoted(one.type)}", "      scope: global")
        yield from ("      initial:", f"        value: {quoted(one.initial)}", "        format: c_expression")
    yield "    ghost_updates:"
    places: dict[SourcePosition, list[GhostUpdate]] = {}
    for update in witness.updates:
        places.setdefault(update.position, []).append(update)
    for position, updates in places.items():
        yield "    - location:"
        yield from location_lines(position, 8)
        yield "      updates:"
        for update in updates:
            yield from (f"      - variable: {quoted(update.variable)}", f"        value: {quoted(update.value)}")
            yield "        format: c_expression"


def _from_yaml(file: str, texts: SourceTexts) -> CorrectnessWitness:
    entries = yaml_entries(file)
    if not entries:
        raise InputError(f"{file}: no witness: it has no entries")
    invariants: list[StateInvariant] = []
    ghosts: list[GhostVariable] = []
    updates: list[GhostUpdate] = []
    try:
        task = cast(dict[str, Any], entries[0].get("metadata", {}).get("task", {}))
        for entry in entries:
            if entry.get("entry_type") == "invariant_set":
                invariants += [_invariant(one["invariant"], texts) for one in _list(entry.get("content"))]
            elif entry.get("entry_type") == "ghost_instrumentation":
                content = cast(dict[str, Any], entry["content"])
                ghosts += [_ghost(one) for one in _list(content.get("ghost_variables"))]
                updates += [one for item in _list(content.get("ghost_updates")) for one in _updates(item, texts)]
        hashes = tuple(str(one) for one in dict(task.get("input_file_hashes") or {}).values())
    except UNREADABLE as error:
        raise InputError(f"{file}: a correctness witness that cannot be read: {why_unreadable(error)}") from None
    return CorrectnessWitness(
        str(task.get("specification", "")),
        tuple(invariants),
        tuple(ghosts),
        tuple(updates),
        str(task.get("data_model", "")),
        hashes,
    )


def _list(value: Any) -> list[Any]:
    return cast(list[Any], value or [])


def _position(where: dict[str, Any], texts: SourceTexts) -> SourcePosition:
    file = texts.named(str(where.get("file_name", "")))
    return SourcePosition(
        file, whole_number(where, "line"), whole_number(where, "column", 0), str(where.get("function") or "")
    )


def _invariant(found: dict[str, Any], texts: SourceTexts) -> StateInvariant:
    kind = str(found["type"])
    if kind not in ("loop_invariant", "location_invariant"):
        raise Malformed(f"there is no invariant of the type {kind}")
    return StateInvariant(_position(found["location"], texts), str(found["value"]), kind == "loop_invariant")


def _ghost(found: dict[str, Any]) -> GhostVariable:
    initial = found["initial"]
    value: Any = cast(dict[str, Any], initial)["value"] if isinstance(initial, dict) else initial
    return GhostVariable(str(found["name"]), str(found["type"]), str(value))


def _updates(found: dict[str, Any], texts: SourceTexts) -> Iterator[GhostUpdate]:
    position = _position(found["location"], texts)
    for one in found["updates"]:
        yield GhostUpdate(position, str(one["variable"]), str(one["value"]))


# --- GraphML ---------------------------------------------------------------------------------------------------------


def correctness_graphml(witness: CorrectnessWitness, task: WitnessTask) -> str:
    texts = SourceTexts(task.files)
    ghosts = {one.name for one in witness.ghosts}
    places: dict[tuple[SourcePosition, bool], list[str]] = {}
    for one in witness.invariants:
        if ghosts.isdisjoint(re.findall(r"\w+", one.value)):
            places.setdefault((one.position, one.loop), []).append(one.value)
    nodes = [node_line("N0", {"entry": "true"})]
    edges: list[str] = []
    for number, ((position, loop), values) in enumerate(places.items(), 1):
        said = " && ".join(f"({value})" for value in values) if len(values) > 1 else values[0]
        nodes.append(node_line(f"N{number}", {"invariant": said, "invariant.scope": position.function}))
        edges += [edge_line(f"N{at}", f"N{number}", _place(position, loop, texts)) for at in range(len(places) + 1)]
    return document(KIND, task, [*nodes, *edges])


def _place(position: SourcePosition, loop: bool, texts: SourceTexts) -> dict[str, str]:
    edge = {"startline": str(position.line)}
    found = _statement(position, texts)
    if found is not None:
        edge["startoffset"] = str(found[1].start)
    return edge | ({"enterLoopHead": "true"} if loop else {})


def _statement(position: SourcePosition, texts: SourceTexts) -> tuple[SourceText, CStatement] | None:
    text = texts.of(position.file)
    statement = None if text is None else text.statement(position.line, position.column)
    return None if text is None or statement is None else (text, statement)


def _from_graphml(file: str, texts: SourceTexts) -> CorrectnessWitness:
    graph = WitnessGraph(file)
    program = texts.named(graph.graph.get("programfile", ""))
    invariants: dict[StateInvariant, None] = {}
    for _, target, edge in graph.edges:
        said = graph.nodes.get(target, {}).get("invariant", "")
        if said and "startline" in edge:
            invariants[_read_place(edge, said, program, texts, graph.nodes[target])] = None
    models = {name: model for model, name in ARCHITECTURES.items()}
    hashes = (graph.graph["programhash"],) if "programhash" in graph.graph else ()
    return CorrectnessWitness(
        graph.graph.get("specification", ""),
        tuple(invariants),
        data_model=models.get(graph.graph.get("architecture", ""), ""),
        hashes=hashes,
    )


def _read_place(
    edge: dict[str, str], said: str, program: str, texts: SourceTexts, node: dict[str, str]
) -> StateInvariant:
    text = texts.of(program)
    loop = edge.get("enterLoopHead") == "true"
    scope = node.get("invariant.scope", "")
    line, column = edge.get("startline", ""), 0
    if text is not None and is_whole_number(edge.get("startoffset", "")):
        line, column = text.place(int(edge["startoffset"]))
    elif not is_whole_number(line):
        raise InputError(f"an edge of the witness has no line: {line}")
    return StateInvariant(SourcePosition(program, int(line), column, scope), said, loop)


def read_correctness(file: str, texts: SourceTexts) -> CorrectnessWitness:
    return _from_yaml(file, texts) if file.endswith((".yml", ".yaml")) else _from_graphml(file, texts)
