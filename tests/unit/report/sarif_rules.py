"""What SARIF 2.1.0 allows of what we write, from the specification."""

from __future__ import annotations

from typing import Any

_OBJECTS: dict[str, tuple[set[str], dict[str, Any]]] = {
    "log": ({"version", "runs"}, {"$schema": str, "version": str, "runs": ["run"]}),
    "run": (
        {"tool"},
        {"tool": "tool", "invocations": ["invocation"], "artifacts": ["artifact"], "results": ["result"]},
    ),
    "tool": ({"driver"}, {"driver": "component"}),
    "component": ({"name"}, {"name": str, "version": str, "rules": ["rule"]}),
    "rule": ({"id"}, {"id": str, "shortDescription": "message"}),
    "invocation": ({"executionSuccessful"}, {"executionSuccessful": bool}),
    "artifact": (set(), {"location": "artifact location"}),
    "artifact location": (set(), {"uri": str}),
    "message": ({"text"}, {"text": str}),
    "result": (
        {"message"},
        {
            "ruleId": str,
            "ruleIndex": int,
            "kind": str,
            "level": str,
            "message": "message",
            "locations": ["location"],
            "codeFlows": ["code flow"],
            "properties": dict,
        },
    ),
    "code flow": ({"threadFlows"}, {"message": "message", "threadFlows": ["thread flow"]}),
    "thread flow": ({"locations"}, {"id": str, "message": "message", "locations": ["flow location"]}),
    "flow location": (set(), {"location": "location", "executionOrder": int}),
    "location": (set(), {"physicalLocation": "physical location", "message": "message"}),
    "physical location": ({"artifactLocation"}, {"artifactLocation": "artifact location", "region": "region"}),
    "region": (set(), {"startLine": int, "startColumn": int}),
}
"""Objects of SARIF 2.1.0 (OASIS, section 3) that we write: what they must have, what they may have. The format allows
no others, except in property bags."""


def broken_sarif(kind: str, found: Any, where: str = "log") -> list[str]:
    """What the specification does not allow."""
    if not isinstance(found, dict):
        return [f"{where} is no object"]
    must, may = _OBJECTS[kind]
    wrong = [f"{where} has no {name}" for name in must - found.keys()]
    for name, value in found.items():
        at, wanted = f"{where}.{name}", may.get(name)
        if wanted is None:
            wrong.append(f"{at} is not in the format")
        elif isinstance(wanted, str):
            wrong += broken_sarif(wanted, value, at)
        elif isinstance(wanted, list):
            wrong += [f"{at} is no list"] if not isinstance(value, list) else []
            wrong += [one for i, item in enumerate(value) for one in broken_sarif(wanted[0], item, f"{at}[{i}]")]
        elif not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            wrong.append(f"{at} is {value!r}")
    if kind == "region" and min(found.values(), default=1) < 1:
        wrong.append(f"{where}: lines and columns count from 1")
    if kind == "result":
        kinds = ("notApplicable", "pass", "fail", "review", "open", "informational")
        if found.get("kind") not in kinds or found.get("level") not in ("none", "note", "warning", "error"):
            wrong.append(f"{where}: no such kind or level")
        if (found["kind"] != "fail") != (found["level"] == "none"):  # 3.27.10
            wrong.append(f"{where}: a level without a failure")
    if kind in ("code flow", "thread flow") and not found.get("threadFlows", found.get("locations")):
        wrong.append(f"{where} is empty")
    return wrong
