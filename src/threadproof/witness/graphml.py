"""Violation witnesses in GraphML, format 1.0: a chain of states from the entry to the violation.

Every edge names its thread, line and offset. An edge that creates a thread is followed, when that thread moves first,
by one that enters its function.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import deque
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from threadproof.core.errors import InputError
from threadproof.witness.malformed import is_whole_number
from threadproof.witness.model import SourcePosition, ViolationWitness, Waypoint, WaypointKind
from threadproof.witness.of_trace import PassedWaypoint, WitnessedRun
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.task import PRODUCER, WitnessTask, sha256, specification

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
ARCHITECTURES = {"ILP32": "32bit", "LP64": "64bit"}
GRAPH_KEYS = (
    "witness-type",
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "architecture",
    "creationtime",
)
NODE_KEYS = {
    "entry": "boolean",
    "violation": "boolean",
    "sink": "boolean",
    "invariant": "string",
    "invariant.scope": "string",
}
EDGE_KEYS = {
    "startline": "int",
    "endline": "int",
    "startoffset": "int",
    "endoffset": "int",
    "control": "string",
    "enterLoopHead": "boolean",
    "enterFunction": "string",
    "returnFromFunction": "string",
    "threadId": "string",
    "createThread": "string",
    "assumption": "string",
    "assumption.scope": "string",
    "assumption.resultfunction": "string",
}
_Data = dict[str, str]


# --- writing ---------------------------------------------------------------------------------------------------------


def graphml_text(run: WitnessedRun, task: WitnessTask) -> str:
    texts = SourceTexts(task.files)
    edges = [{"createThread": "0", "threadId": "0", "enterFunction": "main"}]
    for one in run.passed:
        edges.extend(_edges(one, texts))
    if run.enters and run.target[0].thread not in (None, "0"):
        edges.append({"threadId": run.target[0].thread or "", "enterFunction": run.enters})
    edges.append(_place(run.target[0], texts))
    states = [f"N{index}" for index in range(len(edges) + 1)]
    nodes = [node_line(state, {}) for state in states[1:-1]]
    nodes = [node_line(states[0], {"entry": "true"}), *nodes, node_line(states[-1], {"violation": "true"})]
    lines = [edge_line(states[i], states[i + 1], edge) for i, edge in enumerate(edges)]
    return document("violation_witness", task, [*nodes, *lines])


def document(kind: str, task: WitnessTask, body: list[str]) -> str:
    files = list(task.files)
    head = (kind, "C", f"{PRODUCER} {task.version}", specification(task.property), files[0], sha256(files[0]))
    head += (ARCHITECTURES[task.data_model], task.created)
    graph = [_data(key, value) for key, value in zip(GRAPH_KEYS, head, strict=True)]
    keys = [_key(name, "graph", "string") for name in GRAPH_KEYS]
    keys += [_key(name, "node", kind) for name, kind in NODE_KEYS.items()]
    keys += [_key(name, "edge", kind) for name, kind in EDGE_KEYS.items()]
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>', f'<graphml xmlns="{NAMESPACE}">']
    lines += [f" {one}" for one in keys] + [' <graph edgedefault="directed">']
    lines += [f"  {one}" for one in (*graph, *body)] + [" </graph>", "</graphml>"]
    return "\n".join(lines) + "\n"


def _edges(one: PassedWaypoint, texts: SourceTexts) -> Iterator[_Data]:
    waypoint = one.waypoint
    edge = _place(waypoint, texts)
    if one.starts and waypoint.thread != "0":
        yield {"threadId": waypoint.thread or "0", "enterFunction": one.starts}
    match waypoint.kind:
        case WaypointKind.BRANCHING:
            edge["control"] = f"condition-{waypoint.constraint}"
        case WaypointKind.FUNCTION_RETURN:
            edge |= {"assumption": waypoint.constraint, "assumption.resultfunction": waypoint.called}
            edge["assumption.scope"] = waypoint.position.function
        case _:
            pass
    if one.creates:
        edge["createThread"] = one.creates
    yield edge


def _place(waypoint: Waypoint, texts: SourceTexts) -> _Data:
    """Offsets count characters from the first of the file, from 0."""
    position = waypoint.position
    edge = {"threadId": waypoint.thread} if waypoint.thread is not None else {"threadId": "0"}
    edge["startline"] = str(position.line)
    text = texts.of(position.file)
    statement = None if text is None else text.statement(position.line, position.column)
    if statement is not None:
        edge["startoffset"] = str(statement.start)
        if text is not None:
            edge["startline"] = str(text.place(statement.start)[0])
    return edge


def _key(name: str, where: str, kind: str) -> str:
    return f'<key id="{name}" for="{where}" attr.name="{name}" attr.type="{kind}"/>'


def _data(key: str, value: str) -> str:
    return f'<data key="{key}">{escape(value)}</data>'


def node_line(name: str, data: _Data) -> str:
    return f'<node id="{name}">{"".join(_data(*one) for one in data.items())}</node>'


def edge_line(source: str, target: str, data: _Data) -> str:
    return f'<edge source="{source}" target="{target}">{"".join(_data(*one) for one in data.items())}</edge>'


# --- reading ---------------------------------------------------------------------------------------------------------


class WitnessGraph:
    """The graph of a file, with the data of its parts by key."""

    def __init__(self, file: str) -> None:
        try:
            root = ET.parse(file).getroot()
        except ET.ParseError as error:
            raise InputError(f"{file}: not XML: {error}") from None
        graphs = [one for one in root.iter() if _local(one) == "graph"]
        if not graphs:
            raise InputError(f"{file}: no GraphML: it has no graph")
        self.keys = {one.get("id", "") for one in root if _local(one) == "key"}
        self.graph = _data_of(graphs[0])
        self.nodes = {one.get("id", ""): _data_of(one) for one in graphs[0] if _local(one) == "node"}
        self.edges = [
            (one.get("source", ""), one.get("target", ""), _data_of(one)) for one in graphs[0] if _local(one) == "edge"
        ]

    def having(self, key: str) -> list[str]:
        return [node for node, data in self.nodes.items() if data.get(key) == "true"]


def read_graphml(file: str, texts: SourceTexts) -> ViolationWitness:
    """A shortest way from the entry to a violation."""
    graph = WitnessGraph(file)
    if graph.graph.get("witness-type") == "correctness_witness":
        raise InputError(f"{file}: a correctness witness: there is no execution to replay in it")
    entries, violations = graph.having("entry"), set(graph.having("violation"))
    if not entries or not violations:
        raise InputError(f"{file}: a violation witness has an entry and a violation; one of them is missing")
    way = _shortest(graph, entries[0], violations)
    if way is None:
        raise InputError(f"{file}: no way leads from the entry to a violation")
    segments = [(one,) for edge in way[:-1] if (one := _read_edge(edge, graph, texts)) is not None]
    last = _read_edge(way[-1], graph, texts) if way else None
    if last is not None:
        target = Waypoint(WaypointKind.TARGET, last.position, thread=last.thread)
        segments.append((target,))
    models = {name: model for model, name in ARCHITECTURES.items()}
    model = models.get(graph.graph.get("architecture", ""), "")
    hashes = (graph.graph["programhash"],) if "programhash" in graph.graph else ()
    return ViolationWitness(graph.graph.get("specification", ""), tuple(segments), model, hashes)


def _shortest(graph: WitnessGraph, entry: str, violations: set[str]) -> list[_Data] | None:
    came: dict[str, tuple[str, _Data] | None] = {entry: None}
    todo = deque([entry])
    while todo:
        node = todo.popleft()
        if node in violations:
            way: list[_Data] = []
            while (step := came[node]) is not None:
                node, data = step
                way.append(data)
            return way[::-1]
        for source, target, data in graph.edges:
            if source == node and target not in came:
                came[target] = (source, data)
                todo.append(target)
    return None


def _read_edge(data: Mapping[str, str], graph: WitnessGraph, texts: SourceTexts) -> Waypoint | None:
    """None for an edge that names no place."""
    file = texts.named(graph.graph.get("programfile", ""))
    text = texts.of(file)
    has_line = is_whole_number(data.get("startline", ""))
    if is_whole_number(data.get("startoffset", "")) and text is not None:
        line, column = text.place(int(data["startoffset"]))
        if has_line and int(data["startline"]) != line:
            line, column = int(data["startline"]), 0  # offsets of a file with other line ends
    elif has_line:
        line, column = int(data["startline"]), 0
    else:
        return None
    position = SourcePosition(file, line, column, data.get("assumption.scope", ""))
    thread, assumed = data.get("threadId"), data.get("assumption", "").strip().rstrip(";")
    if data.get("control") in ("condition-true", "condition-false"):
        taken = data["control"].removeprefix("condition-")
        return Waypoint(WaypointKind.BRANCHING, position, taken, thread)
    if "\\result" in assumed:
        called = data.get("assumption.resultfunction", "")
        return Waypoint(WaypointKind.FUNCTION_RETURN, position, assumed, thread, called=called)
    if "createThread" in data and "enterFunction" not in data:
        return Waypoint(WaypointKind.FUNCTION_ENTER, position, "", thread)
    if "returnFromFunction" in data or "enterFunction" in data:
        return None  # whoever comes to the statements behind it has come by
    return Waypoint(WaypointKind.ASSUMPTION, position, "", thread)


def _local(element: ET.Element) -> str:
    return element.tag.rsplit("}", 1)[-1]


def _data_of(element: ET.Element) -> _Data:
    return {one.get("key", ""): (one.text or "").strip() for one in element if _local(one) == "data"}
