"""Answers as the JSON object of the command line's contract.

The shape is the same for one property and for several: `verdict` is the worst (false, then unknown, then true), and
`results` are the objects of the single properties. For one property its fields stand also beside `results`. A `false`
carries the schedule, so the file that `verify --json` wrote is all that `replay` needs besides the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from threadproof.core import schedule as schedules
from threadproof.core import thread_id
from threadproof.core.proofs import Proof
from threadproof.core.result import Answer, Verdict
from threadproof.core.source import SourceLoc
from threadproof.core.trace import Bearing, Event, Trace, TraceStep
from threadproof.report.story import story

Json = dict[str, Any]

_WORST_FIRST = (Verdict.FALSE, Verdict.UNKNOWN, Verdict.TRUE)


def worst(answers: Sequence[Answer]) -> Verdict:
    found = {answer.verdict for answer in answers}
    return next((verdict for verdict in _WORST_FIRST if verdict in found), Verdict.UNKNOWN)


def report(answers: Sequence[Answer], inputs: Json | None = None) -> Json:
    """`inputs` says what was verified (files, data model): recorded as it is, for `replay` and for people."""
    extra: Json = {"inputs": inputs} if inputs else {}
    if len(answers) == 1:
        return one(answers[0]) | {"results": [one(answers[0])]} | extra
    return {
        "verdict": worst(answers).value,
        "results": [one(answer) for answer in answers],
        "wall_s": round(sum(answer.wall_s for answer in answers), 6),
        "cpu_s": round(sum(answer.cpu_s for answer in answers), 6),
        "peak_mb": round(max((answer.peak_mb for answer in answers), default=0.0), 3),
    } | extra


def one(answer: Answer) -> Json:
    found: Json = {"verdict": answer.verdict.value, "property": answer.property.value}
    found["memory_model"] = answer.memory_model.value
    if answer.violated:
        found["violated"] = answer.violated
    return (
        found
        | {
            "engine": answer.engine,
            "reason": answer.reason,
            "assumptions": list(answer.assumptions),
            "wall_s": round(answer.wall_s, 6),
            "cpu_s": round(answer.cpu_s, 6),
            "peak_mb": round(answer.peak_mb, 3),
            "stats": dict(answer.stats),
        }
        | ({"cached": answer.cached} if answer.cached else {})
        | ({"notes": list(answer.notes)} if answer.notes else {})
        | _violation(answer.trace)
        | {"proof": _proof(answer.proof)}
    )


def _violation(trace: Trace | None) -> Json:
    if trace is None:
        return {"trace": []}
    return {
        "cause": trace.cause,
        "location": _loc(trace.loc),
        "details": list(trace.details),
        "story": list(story(trace).sentences),
        "rarity": trace.rarity,
        "call_stacks": [
            {"thread": thread_id.name(stack.thread), "calls": [{"function": f, **_loc(at)} for f, at in stack.calls]}
            for stack in trace.stacks
        ],
        "trace": [_step(step) for step in trace.steps],
        "memory_model": trace.model.value,  # what replay needs to know
        "schedule": schedules.to_json(trace.schedule),
    }


def _step(step: TraceStep) -> Json:
    return {
        "thread": thread_id.name(step.thread),
        **_loc(step.loc),
        "function": step.function,
        "events": [_event(event) for event in step.events],
    }


def _event(event: Event) -> Json:
    bearing = {} if event.role is Bearing.UNKNOWN else {"bearing": event.role.value}
    return {"kind": event.kind.value, "text": event.text, **bearing, **_loc(event.loc)}


def _loc(loc: SourceLoc) -> Json:
    return {"file": loc.file, "line": loc.line}


def _proof(proof: Proof | None) -> Json:
    return {} if proof is None else {"kind": proof.kind, "facts": dict(proof.facts)}
