"""The front end for pipes and scripts: commands in, plain text out, the same text every time.

Every command is echoed after `>`; then come its answer and the steps it made (the last ones of many). `show` prints
the whole screen. A refused command ends the script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.report.lanes import Line
from threadproof.simulate.commands import perform
from threadproof.simulate.events import step_line
from threadproof.simulate.session import Session, SessionPosition
from threadproof.simulate.text import in_ascii, plain
from threadproof.simulate.view import notices, page

WIDTH = 100
MOST_STEPS = 20


class ScriptProblem(Exception):
    """A command that could not be done; `number` is its line."""

    def __init__(self, number: int, command: str, why: str) -> None:
        super().__init__(f"command {number}, `{command}`: {why}")


def run(session: Session, commands: Iterable[str], encoding: str = "utf-8") -> Iterator[str]:
    """Lines of output, each as soon as it is known."""
    utf = encoding.lower().replace("-", "").startswith("utf")
    for line in _run(session, commands):
        yield line if utf else in_ascii(line)


def _run(session: Session, commands: Iterable[str]) -> Iterator[str]:
    yield from _lines(page(session, WIDTH))
    yield from _lines(notices(session))
    for number, raw in enumerate(commands, 1):
        command = raw.split("#")[0].strip()
        if command in ("quit", "q"):
            return
        if not command:
            continue
        yield f"> {command}"
        if command == "show":
            yield from _lines(page(session, WIDTH))
            continue
        answer = perform(session, command)
        if isinstance(answer, str):
            raise ScriptProblem(number, command, answer)
        yield from _steps(session, answer.here)
        if answer.said:
            yield answer.said
        yield from _lines(notices(answer))
        session = answer


def _lines(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        yield plain(line)


def _steps(session: Session, now: SessionPosition) -> Iterator[str]:
    """The steps from one position to another; going back is told by where one arrives."""
    before, made = session.here, list[SessionPosition]()
    for position in now.back():
        if position is before or len(made) == MOST_STEPS:
            break
        made.append(position)
    if now.count <= before.count:
        if now.count < before.count:
            yield f"back at step {now.count}"
        return
    if now.count - before.count > len(made):
        yield f"       ... {now.count - before.count - len(made)} steps"
    for position in reversed(made):
        yield plain(step_line(session.world, position))
