"""Answers on a terminal: the verdict first, then what it rests on, then the counterexample.

The texts are made by pure functions; only `print_answers` and `print_trace` know that there is a terminal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from threadproof.core.memory_model import MemoryModel
from threadproof.core.printable import printable
from threadproof.core.proofs import Proof
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.core.trace import Trace
from threadproof.report.lanes import (
    ASCII,
    UNICODE,
    Amount,
    Glyphs,
    Line,
    StyledSpan,
    call_stacks,
    cause_of,
    place,
    quote,
    steps,
    told,
)
from threadproof.report.lanes import plain as as_text

_STYLE_OF = {Verdict.TRUE: "bold green", Verdict.FALSE: "bold red", Verdict.UNKNOWN: "bold yellow"}
_PIPE_WIDTH = 100
FEWEST_TESTED = 30
FOR_MACHINES = ("claims", "lines")  # facts of a proof that only the JSON holds
_TIME = re.compile(r"(?:(?<=^)|(?<=: ))time(?=$|[:;])")
_PLAIN_SIGNS = str.maketrans({"—": "-", "·": "*"})


def verdict_line(answer: Answer) -> Line:
    """`unreach-call: false — reach_error() was called at file.c:30`"""
    because = because_of(answer)
    dash = StyledSpan(f" — {because}") if because else StyledSpan("")
    under = "" if answer.memory_model is MemoryModel.SC else f" under {answer.memory_model}"
    return (
        StyledSpan(f"{answer.property.value}{under}: "),
        StyledSpan(answer.verdict.value, _STYLE_OF[answer.verdict]),
        dash,
    )


def because_of(answer: Answer) -> str:
    """The one sentence that goes with the verdict."""
    match answer.verdict:
        case Verdict.FALSE if answer.trace is not None:
            kind = f"{answer.violated}: " if answer.violated else ""
            return f"{kind}{cause_of(answer.trace)}"
        case Verdict.TRUE if answer.proof is not None:
            return _proof(answer.proof)
        case _:
            return reasons(answer.reason)[0]


def reasons(reason: str) -> list[str]:
    """One per line, none twice; a limit of time is called a timeout."""
    parts = [_TIME.sub("timeout", part) for part in reason.split("; ")]
    return list(dict.fromkeys(parts)) or [""]


def earned(answer: Answer) -> Iterator[str]:
    """What random runs without a violation say: with 95 % confidence, fewer than 3 in n show one (rule of three).

    Runs that came to no end say nothing, so they are not among the n."""
    stats: dict[str, Any] = answer.stats if answer.engine == "random" else answer.stats.get("random", {})
    runs, tested = int(stats.get("runs_uniform", 0)), int(stats.get("tested", 0))
    if tested >= FEWEST_TESTED:
        few = f"fewer than 1 in {tested // 3:,} of such runs do (95 %)"
        others = f"; {runs - tested:,} others came to no end" if runs > tested else ""
        yield f"tested: none of {tested:,} uniform random runs that came to an end shows a violation, so {few}{others}"
    elif runs:
        yield f"tested: nothing: of {runs:,} uniform random runs {tested or 'none'} came to an end"


def statistics_line(answer: Answer) -> str:
    """`explicit · 1,204 states · 0.31 s · 58 MB`; what is not a number is left to the JSON."""
    counted = [
        _counted(name, value)
        for name, value in answer.stats.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    figures = [answer.engine, *counted[:5], f"{answer.wall_s:.2f} s"]
    if answer.peak_mb:
        figures.append(f"{answer.peak_mb:.0f} MB")
    return " · ".join(figure for figure in figures if figure)


def _counted(name: str, value: float) -> str:
    """`1,204 states`, `0.3 s encoding`, `bound 3`."""
    words = name.replace("_", " ")
    if words.endswith(" s"):
        return f"{_number(value)} s {words.removesuffix(' s')}"
    return f"bound {_number(value)}" if words == "bound" else f"{_number(value)} {words}"


def answer_lines(
    answer: Answer, width: int, glyphs: Glyphs = UNICODE, amount: Amount = Amount.WHAT_MATTERS
) -> Iterator[Line]:
    yield verdict_line(answer)
    if answer.verdict is Verdict.UNKNOWN:
        yield from ((StyledSpan(f"  {reason}"),) for reason in reasons(answer.reason)[1:])
        yield from ((StyledSpan(f"  {line}", "dim"),) for line in earned(answer))
    if answer.trace is not None:
        yield from _counterexample(answer.trace, width, glyphs, amount)
        yield ()
    if answer.proof is not None:
        for name, fact in answer.proof.facts.items():
            if name not in FOR_MACHINES:
                yield from ((StyledSpan(line, "dim"),) for line in _fact_lines(name.replace("_", " "), fact))
    if answer.assumptions:
        yield (StyledSpan(f"  assumes: {'; '.join(answer.assumptions)}", "dim"),)
    if answer.cached:
        yield (StyledSpan(f"  cached: {answer.cached}", "bold yellow"),)
    for note in answer.notes:
        yield (StyledSpan(f"  note: {note}", "bold yellow"),)
    yield (StyledSpan(f"  {statistics_line(answer)}", "dim"),)


def print_answers(answers: Sequence[Answer], amount: Amount = Amount.WHAT_MATTERS) -> None:
    for index, answer in enumerate(answers):
        lines: list[Line] = [()] if index else []
        _emit([*lines, *answer_lines(answer, _width(), _glyphs(), amount)])
    if len(answers) > 1:
        _emit([(), *summary_lines(answers)])


def summary_lines(answers: Sequence[Answer]) -> Iterator[Line]:
    """Several properties: each with its verdict, the engine that found it and its time, one line each."""
    widest = max(len(answer.property.value) for answer in answers)
    for answer in answers:
        yield (
            StyledSpan(f"{answer.property.value:{widest}}  "),
            StyledSpan(f"{answer.verdict.value:8}", _STYLE_OF[answer.verdict]),
            StyledSpan(f"{answer.engine:9}{answer.wall_s:8.2f} s", "dim"),
        )


def print_trace(
    asked: Property, trace: Trace, found: Verdict = Verdict.FALSE, amount: Amount = Amount.WHAT_MATTERS
) -> None:
    """A replayed counterexample, or the way to something undefined: as `verify` shows it, without figures."""
    answer = Answer(asked, found, "", reason=trace.cause, trace=trace, memory_model=trace.model)
    verdict = verdict_line(answer)
    _emit([verdict, *_counterexample(trace, _width(), _glyphs(), amount)])


def _counterexample(trace: Trace, width: int, glyphs: Glyphs, amount: Amount) -> Iterator[Line]:
    yield from place(trace, quote)
    yield ()
    paragraph = list(told(trace, width))
    yield from paragraph
    if paragraph:
        yield ()
    yield from steps(trace, quote, width, glyphs, amount)
    stacks = list(call_stacks(trace))
    if stacks:
        yield ()
        yield from stacks


def _emit(lines: Sequence[Line]) -> None:
    if not sys.stdout.isatty() or _glyphs() is ASCII:
        text = "".join(f"{as_text(line)}\n" for line in lines)
        sys.stdout.write(text if _glyphs() is UNICODE else text.translate(_PLAIN_SIGNS))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((printable(span.text), span.style) for span in line)))


def _width() -> int:
    if not sys.stdout.isatty():
        return _PIPE_WIDTH
    import shutil

    return shutil.get_terminal_size().columns


def _glyphs() -> Glyphs:
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return UNICODE if encoding.startswith("utf") else ASCII


def _proof(proof: Proof) -> str:
    return proof.kind.replace("_", " ")


def _fact_lines(name: str, fact: Any) -> Iterator[str]:
    if not isinstance(fact, dict):
        yield f"  {name}: {_fact(fact)}"
        return
    yield f"  {name}:" if fact else f"  {name}: nothing"
    for what, says in fact.items():  # pyright: ignore[reportUnknownVariableType] - facts are anything
        yield f"    {what}: {says}"


def _fact(fact: Any) -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int | float):
        return _number(fact)
    if isinstance(fact, list | tuple | set | frozenset):
        items: list[Any] = list(fact)  # pyright: ignore[reportUnknownArgumentType] - facts are anything
        return ", ".join(str(item) for item in items) or "none"
    return str(fact)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}"
