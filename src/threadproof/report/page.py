"""The report page: one file with everything in it, text, styles, code, data and the program as WebAssembly.

The page's own code (`web/page.js`) draws it from the data; nothing is loaded from elsewhere. Data is JSON in a script
element, in which `<` is written as an escape, so that no text of the program can end the element.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from threadproof.core import thread_id
from threadproof.core.result import Answer, Verdict
from threadproof.core.trace import Event, Trace
from threadproof.report.json_report import one
from threadproof.report.lanes import rows_of
from threadproof.report.proof_words import proof_words
from threadproof.report.story import story
from threadproof.report.terminal import FOR_MACHINES, because_of, earned, reasons, statistics_line

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate

MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """An answer, and what was recorded of its counterexample: after each step what has changed."""

    answer: Answer
    moments: Sequence[Mapping[str, Any]] = ()
    machine: Mapping[str, Any] = field(default_factory=dict[str, Any])
    binary: bytes = b""  # the step machine; empty: the program does not run in the page
    drawing: str = ""  # of the threads' automata, as SVG


def page(answers: Sequence[PageAnswer], sources: Mapping[str, str], title: str) -> str:
    return _page([_answer(given) for given in answers], sources, title)


def estimate_page(made: Estimate, sources: Mapping[str, str], title: str) -> str:
    """Of `smc`: the estimate, how it came about, and the charts of `plots`."""
    from threadproof.report.plots import draw
    from threadproof.report.smc_report import to_text

    first, *rest = to_text(made).splitlines()
    answer = {"property": made.query, "verdict": "estimate", "because": first, "model": "sc", "statistics": ""}
    endings = {name.replace("_", " "): count for name, count in made.endings.items()}
    found = {"kind": "how the runs ended", "facts": endings} if endings else {}
    words = "Runs with a scheduler that chooses uniformly. This says how likely something is, and proves nothing."
    return _page([answer | {"notes": rest, "charts": draw(made), "proof": found, "words": words}], sources, title)


def _page(answers: Sequence[Mapping[str, Any]], sources: Mapping[str, str], title: str) -> str:
    data = {
        "title": title,
        "sources": {file: text.splitlines() for file, text in sources.items()},
        "answers": answers,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str).replace("<", "\\u003c")
    return (
        _part("page.html")
        .replace("{{title}}", _escaped(title))
        .replace("{{style}}", _part("page.css"))
        .replace("{{code}}", _part("page.js"))
        .replace("{{data}}", text)
    )


def _answer(given: PageAnswer) -> dict[str, Any]:
    answer = given.answer
    found: dict[str, Any] = {
        "property": answer.property.value,
        "verdict": answer.verdict.value,
        "because": because_of(answer),
        "model": answer.memory_model.value,
        "engine": answer.engine,
        "seconds": round(answer.wall_s, 2),
        "statistics": statistics_line(answer),
        "assumptions": list(answer.assumptions),
        "notes": [*([f"cached: {answer.cached}"] if answer.cached else []), *answer.notes],
        "proof": _proof(answer),
        "drawing": given.drawing,
    }
    if answer.proof is not None:
        found["words"] = proof_words(answer.proof)
    if answer.verdict is Verdict.UNKNOWN:
        found["notes"] = [*reasons(answer.reason)[1:], *earned(answer), *found["notes"]]
    if answer.trace is not None:
        found |= _trace(answer.trace) | {"moments": [dict(moment) for moment in given.moments]}
    if given.binary:
        found |= {"machine": dict(given.machine), "binary": base64.b64encode(given.binary).decode("ascii")}
    return found


def _proof(answer: Answer) -> dict[str, Any]:
    found = one(answer)["proof"]
    facts = {name: fact for name, fact in found.get("facts", {}).items() if name not in FOR_MACHINES}
    return found and {**found, "facts": facts}


def _trace(trace: Trace) -> dict[str, Any]:
    told = story(trace)
    threads = sorted({step.thread for step in trace.steps})
    shown, _ = rows_of(trace)
    prepared = {row.last: row.text for row in shown[:1] if row.text}
    return {
        "story": [*told.sentences, *([trace.rarity] if trace.rarity else [])],
        "details": list(trace.details),
        "threads": [thread_id.name(thread) for thread in threads],
        "matters": sorted({number for row in shown for number in range(row.first, row.last + 1)}),
        "steps": [
            {
                "thread": thread_id.name(step.thread),
                "function": step.function,
                "file": step.loc.file,
                "line": step.loc.line,
                "events": [_event(event, step.loc.file) for event in step.events],
                **({"prepares": prepared[number]} if number in prepared else {}),
            }
            for number, step in enumerate(told.trace.steps[:MOST_STEPS], 1)
        ],
        "moves": [[thread_id.name(move.thread), *map(str, move.choices)] for move in trace.schedule],
        "stacks": [
            [thread_id.name(stack.thread), *(f"{function} ({loc})" for function, loc in stack.calls)]
            for stack in trace.stacks
        ],
    }


def _event(event: Event, file: str) -> list[Any]:
    """Its line only if it is in the step's file, whose lines the row shows."""
    title = event.about.title if event.about is not None else ""
    return [event.kind.value, event.text, event.role.value, title, event.loc.line if event.loc.file == file else 0]


def _part(name: str) -> str:
    return (files("threadproof.report") / "web" / name).read_text(encoding="utf-8")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
