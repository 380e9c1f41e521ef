"""Answers in SARIF 2.1.0, for editors and code scanning: a result per property. A counterexample is a code flow with
one thread flow per thread; its steps carry their order in the whole execution."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from threadproof.core import thread_id
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.core.source import SourceLoc
from threadproof.core.trace import Trace

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_Json = dict[str, Any]
_SAYS = {
    Property.UNREACH_CALL: "reach_error() is never called, and no assertion fails",
    Property.NO_DATA_RACE: "no two threads access the same memory at once, one of them writing",
    Property.NO_DEADLOCK: "there is always a thread that can go on",
    Property.NO_OVERFLOW: "no signed operation leaves the range of its type",
    Property.VALID_MEMSAFETY: "every access and every free is valid, and no block is lost",
    Property.VALID_MEMCLEANUP: "all memory is freed when the program ends",
}
_KINDS = {Verdict.TRUE: ("pass", "none"), Verdict.FALSE: ("fail", "error"), Verdict.UNKNOWN: ("open", "none")}


def sarif(answers: Sequence[Answer], files: Sequence[str], version: str) -> _Json:
    rules = [{"id": one.value, "shortDescription": {"text": _SAYS[one]}} for one in Property]
    driver = {"name": "Threadproof", "version": version, "rules": rules}
    run: _Json = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "artifacts": [{"location": {"uri": _uri(file)}} for file in files],
        "results": [_result(answer, files) for answer in answers],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(answer: Answer, files: Sequence[str]) -> _Json:
    kind, level = _KINDS[answer.verdict]
    said = answer.reason or (answer.proof.kind if answer.proof is not None else answer.verdict.value)
    result: _Json = {
        "ruleId": answer.property.value,
        "ruleIndex": list(Property).index(answer.property),
        "kind": kind,
        "level": level,
        "message": {"text": f"{answer.property}: {answer.verdict} — {said}"},
        "properties": {"engine": answer.engine, "assumptions": list(answer.assumptions)}
        | ({"cached": answer.cached} if answer.cached else {}),
    }
    trace = answer.trace
    loc = SourceLoc(files[0], 1) if trace is None or not trace.loc.line else trace.loc
    result["locations"] = [_location(loc)]
    if trace is not None and trace.steps:
        result["codeFlows"] = [{"message": {"text": trace.cause}, "threadFlows": _flows(trace)}]
    return result


def _flows(trace: Trace) -> list[_Json]:
    flows: dict[str, list[_Json]] = {}
    order = 0
    for step in trace.steps:
        for event in step.events:
            if not event.loc.line or event.loc.file.startswith("<"):
                continue
            order += 1
            place = _location(event.loc) | {"message": {"text": event.text}}
            flows.setdefault(thread_id.name(step.thread), []).append({"location": place, "executionOrder": order})
    if not flows:
        flows["main"] = [{"location": _location(trace.loc) | {"message": {"text": trace.cause}}, "executionOrder": 1}]
    return [{"id": name, "message": {"text": f"thread {name}"}, "locations": found} for name, found in flows.items()]


def _location(loc: SourceLoc) -> _Json:
    region: _Json = {"startLine": max(loc.line, 1)} | ({"startColumn": loc.column} if loc.column else {})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(loc.file)}, "region": region}}


def _uri(file: str) -> str:
    """Relative, where the file is below the current folder."""
    path = os.path.relpath(file) if os.path.isabs(file) and not os.path.relpath(file).startswith("..") else file
    return f"file://{quote(path)}" if os.path.isabs(path) else quote(path)
