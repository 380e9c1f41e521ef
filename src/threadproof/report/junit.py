"""Answers as JUnit XML, which every CI shows: a test case per property; `false` fails, `unknown` is skipped."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from threadproof.core.printable import printable
from threadproof.core.result import Answer, Verdict


def junit(answers: Sequence[Answer], files: Sequence[str]) -> str:
    name = quoteattr(" ".join(files))
    failed = sum(one.verdict is Verdict.FALSE for one in answers)
    skipped = sum(one.verdict is Verdict.UNKNOWN for one in answers)
    seconds = sum(one.wall_s for one in answers)
    figures = f'tests="{len(answers)}" failures="{failed}" errors="0" skipped="{skipped}" time="{seconds:.3f}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="threadproof" {figures}>']
    lines += [f" <testsuite name={name} {figures}>"]
    for one in answers:
        lines += _case(one, name)
    return "\n".join([*lines, " </testsuite>", "</testsuites>"]) + "\n"


def _case(answer: Answer, name: str) -> list[str]:
    opened = f'  <testcase classname={name} name="{answer.property.value}" time="{answer.wall_s:.3f}"'
    said = quoteattr(_text(answer.reason))
    if answer.verdict is Verdict.TRUE:
        return [f"{opened}/>"]
    if answer.verdict is Verdict.UNKNOWN:
        return [f"{opened}>", f"   <skipped message={said}/>", "  </testcase>"]
    details = "\n".join(answer.trace.details) if answer.trace is not None else ""
    return [f"{opened}>", f"   <failure message={said}>{escape(_text(details))}</failure>", "  </testcase>"]


def _text(text: str) -> str:
    """XML has no control characters."""
    return "".join(c if c in "\n\t" or ord(c) >= 32 else "?" for c in printable(text)) if text else ""
