"""A counterexample as lanes: one column per thread, time runs downwards.

The first line is the cause in one sentence, the second where it happened. Then every row is what one thread
did on one source line: the gutter has the step number and the line number, the lane the line itself and under
it the values read and written. An arrow marks every context switch. Steps of one thread on one line are one
row; the middle of a long trace is left out, with a count. With more threads than the width has room for, the
rows become a plain list.

Text in, lines out: nothing here knows a terminal. A line is a tuple of spans, each with a style's name.
"""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from textwrap import TextWrapper, wrap

from threadproof.core import thread_id
from threadproof.core.printable import printable
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.core.trace import Bearing, EventKind, Trace, TraceStep
from threadproof.report.rows import TableRow, for_reading, merge
from threadproof.report.story import story

MIN_WIDTH = 80
MIN_LANE = 20  # narrower columns break every source line
MAX_LANE = 60
HEAD, TAIL = 20, 30  # rows kept of a long trace; the end explains the violation, so it gets more
SOURCE_LINES = 3
READABLE = 100  # columns of a paragraph
STACKS, DEEPEST = 8, 6  # call stacks that are shown, and how deep

SourceText = Callable[[SourceLoc], str]


@dataclass(frozen=True, slots=True)
class StyledSpan:
    text: str
    style: str = ""


Line = tuple[StyledSpan, ...]


@dataclass(frozen=True, slots=True)
class Glyphs:
    bar: str
    running: str  # the bar of the thread that moves
    across: str
    leave_right: str
    leave_left: str
    right: str
    left: str
    bullet: str
    gap: str
    cut: str
    decisive: str  # before an event that the story is about


UNICODE = Glyphs("│", "┃", "─", "├", "┤", "▶", "◀", "·", "⋮", "…", "◆")
ASCII = Glyphs("|", "#", "-", "+", "+", ">", "<", "*", ":", "...", "!")

EVENT_STYLES = {
    EventKind.READ: "cyan",
    EventKind.WRITE: "yellow",
    EventKind.FLUSH: "yellow",
    EventKind.SYNC: "magenta",
    EventKind.CHOICE: "blue",
    EventKind.NOTE: "italic",
    EventKind.END: "bold red",
}


class Amount(Enum):
    """How much of a counterexample is shown."""

    WHAT_MATTERS = "what matters"
    FULL = "full"


def lay_out(trace: Trace, source: SourceText, width: int, glyphs: Glyphs = UNICODE) -> list[Line]:
    """The whole picture for a terminal of that width: cause, place, lanes."""
    cause: Line = (StyledSpan(cause_of(trace), "bold"),)
    return [cause, *place(trace, source), (), *steps(trace, source, width, glyphs)]


def told(trace: Trace, width: int) -> Iterator[Line]:
    """The story as a paragraph, and how rare it is."""
    text = " ".join((*story(trace).sentences, *([trace.rarity] if trace.rarity else [])))
    for line in wrap(text, min(max(width, MIN_WIDTH), READABLE) - 2, break_on_hyphens=False, break_long_words=False):
        yield (StyledSpan(f"  {line}"),)


def call_stacks(trace: Trace) -> Iterator[Line]:
    """Where threads stand at the end that are inside of more than one function."""
    failing = trace.steps[-1].thread if trace.steps else ()
    shown = [stack for stack in trace.stacks if len(stack.calls) > 1 and (trace.details or stack.thread == failing)]
    for stack in shown[:STACKS]:
        (function, loc), *callers = stack.calls
        text = f"  {thread_id.name(stack.thread)} is in {function} ({loc})"
        yield (StyledSpan(text + "".join(f", called by {name} ({at})" for name, at in callers[:DEEPEST]), "dim"),)


def cause_of(trace: Trace) -> str:
    """The cause with its place, without the details where it repeats them all."""
    cause = trace.cause
    if trace.details:
        cause = cause.replace(": " + "; ".join(trace.details), "")
    known = not trace.loc.line or trace.details or str(trace.loc) in cause
    return cause if known else f"{cause} at {trace.loc}"


def place(trace: Trace, source: SourceText) -> Iterator[Line]:
    """The line where it happened, or what each thread has to do with it."""
    for detail in trace.details:
        yield (StyledSpan(f"  {detail}"),)
    text = source(trace.loc)
    if text and not trace.details:
        yield (StyledSpan(f"  {text}", "dim"),)


def rows_of(trace: Trace, amount: Amount = Amount.WHAT_MATTERS) -> tuple[list[TableRow], int]:
    """The rows that are shown, and how many steps are left out."""
    done = _without_end(story(trace).trace)
    return (list(merge(done)), 0) if amount is Amount.FULL else for_reading(done)


def steps(
    trace: Trace, source: SourceText, width: int, glyphs: Glyphs = UNICODE, amount: Amount = Amount.WHAT_MATTERS
) -> Iterator[Line]:
    """The lanes, or the list where lanes would be too narrow to read."""
    rows, left_out = rows_of(trace, amount)
    yield from _table(trace, rows, source, width, glyphs)
    if left_out:
        what = "1 step that does" if left_out == 1 else f"{left_out:,} steps that do"
        yield (
            StyledSpan(
                f"  {what} not matter for this {'is' if left_out == 1 else 'are'} left out: --full shows all", "dim"
            ),
        )


def _table(trace: Trace, rows: list[TableRow], source: SourceText, width: int, glyphs: Glyphs) -> Iterator[Line]:
    known = {thread_id.name(step.thread): step.thread for step in trace.steps}
    last = {known[word] for detail in trace.details if (word := detail.partition(" ")[0]) in known}
    threads = tuple(sorted({row.thread for row in rows} | last))
    width = max(width, MIN_WIDTH)
    gutter = _Gutter.of(rows)
    if threads and (width - gutter.width) // len(threads) >= MIN_LANE:
        lane = min(MAX_LANE, (width - gutter.width) // len(threads))
        return _Lanes(threads, lane, gutter, source, glyphs).lines(rows, trace.details)
    return _listing(rows, source, width, glyphs)


def plain(line: Line) -> str:
    return printable("".join(span.text for span in line).rstrip())


def quote(loc: SourceLoc) -> str:
    """The source line itself, empty if the file cannot be read. Control characters would upset a terminal."""
    line = linecache.getline(loc.file, loc.line).strip() if loc.file and loc.line else ""
    return "".join(sign if sign.isprintable() else " " for sign in line)


@dataclass(frozen=True, slots=True)
class _Gutter:
    """The columns of the step's number and of the source line's."""

    steps: int
    lines: int

    @staticmethod
    def of(rows: Sequence[TableRow]) -> _Gutter:
        numbers = max((len(row.number) for row in rows), default=0)
        lines = max((len(str(row.loc.line)) for row in rows), default=0)
        return _Gutter(max(len("step"), numbers), max(len("line"), lines))

    @property
    def width(self) -> int:
        return self.steps + self.lines + 4

    def show(self, step: str = "", line: str = "") -> StyledSpan:
        return StyledSpan(f"{step:>{self.steps}}  {line:>{self.lines}}  ", "dim")


@dataclass(frozen=True, slots=True)
class _Lanes:
    threads: tuple[ThreadId, ...]
    width: int  # of one lane: its bar, a space, the text, a space
    gutter: _Gutter
    source: SourceText
    glyphs: Glyphs

    def lines(self, rows: Sequence[TableRow], last: Sequence[str]) -> Iterator[Line]:
        """`last` are sentences about the threads in the final state, such as what each one waits for."""
        yield self._names()
        files = {row.loc.file for row in rows if row.loc.line}
        before: TableRow | None = None
        for row in elide(rows):
            if isinstance(row, str):
                yield (self.gutter.show(self.glyphs.gap), StyledSpan(f"{self.glyphs.gap} {row}", "italic dim"))
                before = None
                continue
            if before is not None and before.thread != row.thread:
                yield self._switch(before.thread, row.thread)
            if len(files) > 1 and (before is None or before.loc.file != row.loc.file):
                yield self._line(row.thread, self.gutter.show(), self._file(row.loc.file, files), "dim")
            yield from self._row(row, "" if before and before.last == row.first else row.number)
            before = row
        for sentence in last:
            yield from self._final(sentence)

    def _file(self, file: str, files: set[str]) -> str:
        """Without its folder, if no other has that name; of a long one the end."""
        name = os.path.basename(file)
        same = sum(os.path.basename(other) == name for other in files)
        shown, room = f"{name if same == 1 else file}:", self.width - 3
        return shown if len(shown) <= room else self.glyphs.cut + shown[len(self.glyphs.cut) - room :]

    def _names(self) -> Line:
        names = [StyledSpan(f"  {thread_id.name(thread)}".ljust(self.width), "bold") for thread in self.threads]
        return (self.gutter.show("step", "line"), *names)

    def _row(self, row: TableRow, step: str) -> Iterator[Line]:
        text = row.text or self.source(row.loc) or f"in {row.function}"
        number = str(row.loc.line) if row.loc.line and not row.text else ""
        for index, part in enumerate(_wrapped(text, self.width - 3, SOURCE_LINES, self.glyphs)):
            gutter = self.gutter.show() if index else self.gutter.show(step, number)
            yield self._line(row.thread, gutter, part, "")
        for event in row.events:
            text = event.text.removesuffix(f" at {event.loc}")
            decides = event.role is Bearing.DECISIVE
            style = f"bold {EVENT_STYLES[event.kind]}" if decides else EVENT_STYLES[event.kind]
            yield from self._happened(row.thread, self.gutter.show(), text, style, decides)

    def _happened(
        self, thread: ThreadId, gutter: StyledSpan, text: str, style: str, decides: bool = False
    ) -> Iterator[Line]:
        mark = self.glyphs.decisive if decides else self.glyphs.bullet
        for index, part in enumerate(_wrapped(text, self.width - 5, SOURCE_LINES, self.glyphs)):
            bullet = " " if index else mark
            yield self._line(thread, self.gutter.show() if index else gutter, f"{bullet} {part}", style)

    def _final(self, sentence: str) -> Iterator[Line]:
        """In the lane of the thread that the sentence begins with, with the line it names in the gutter."""
        subject, _, text = sentence.partition(" ")
        named = [thread for thread in self.threads if thread_id.name(thread) == subject]
        found = re.search(r" at \S*?:(\d+)\b", text)
        if named:
            gutter = self.gutter.show("end", found[1] if found else "")
            shown = text.replace(found[0], "") if found else text
            yield from self._happened(named[0], gutter, shown, EVENT_STYLES[EventKind.END])

    def _line(self, running: ThreadId, gutter: StyledSpan, text: str, style: str) -> Line:
        spans = [gutter]
        for thread in self.threads:
            if thread == running:
                spans.append(StyledSpan(self.glyphs.running, "bold"))
                spans.append(StyledSpan(f" {text}".ljust(self.width - 1), style))
            else:
                spans.append(StyledSpan(self.glyphs.bar.ljust(self.width), "dim"))
        return tuple(spans)

    def _switch(self, leaving: ThreadId, entering: ThreadId) -> Line:
        """A line of bars with an arrow from one lane's bar to the other's."""
        text = list("".join(self.glyphs.bar.ljust(self.width) for _ in self.threads))
        start, end = (self.threads.index(thread) * self.width for thread in (leaving, entering))
        step = 1 if start < end else -1
        for column in range(start + step, end, step):
            text[column] = self.glyphs.across
        text[start] = self.glyphs.leave_right if step > 0 else self.glyphs.leave_left
        text[end - step] = self.glyphs.right if step > 0 else self.glyphs.left
        return (self.gutter.show(), StyledSpan("".join(text), "dim"))


def _listing(rows: Sequence[TableRow], source: SourceText, width: int, glyphs: Glyphs) -> Iterator[Line]:
    """One column, for many threads: `T1  file.c:12  x = 1`."""
    names = max((len(thread_id.name(row.thread)) for row in rows), default=0)
    places = max((len(str(row.loc)) for row in rows), default=0)
    room = max(MIN_LANE, width - names - places - 4)
    indent = " " * (names + places + 4)
    for row in elide(rows):
        if isinstance(row, str):
            yield (StyledSpan(f"{glyphs.gap} {row}", "italic dim"),)
            continue
        text = row.text or source(row.loc) or f"in {row.function}"
        shown = _wrapped(text, room, 1, glyphs)[0]
        name = StyledSpan(f"{thread_id.name(row.thread):<{names}}  ", "bold")
        yield (name, StyledSpan(f"{row.loc!s:<{places}}  ", "dim"), StyledSpan(shown))
        for event in row.events:
            part = _wrapped(event.text, room - 2, 1, glyphs)[0]
            yield (StyledSpan(f"{indent}{glyphs.bullet} {part}", EVENT_STYLES[event.kind]),)


def elide(rows: Sequence[TableRow]) -> Iterator[TableRow | str]:
    """The rows to show; in the middle of a long trace a sentence that counts what is left out."""
    if len(rows) <= HEAD + TAIL + 1:
        yield from rows
        return
    out = rows[HEAD:-TAIL]
    names = ", ".join(thread_id.name(thread) for thread in sorted({row.thread for row in out}))
    yield from rows[:HEAD]
    yield f"{out[-1].last - out[0].first + 1} steps of {names} left out (--json FILE has them all)"
    yield from rows[-TAIL:]


class _CodeWrapper(TextWrapper):
    """Breaks words that are too long for a line behind signs of C, where people would."""

    def _split(self, text: str) -> list[str]:
        room = self.width - len(self.subsequent_indent)
        parts = ([word] if len(word) <= room else _SIGNS.split(word) for word in super()._split(text))
        return [part for several in parts for part in several if part]


_SIGNS = re.compile(r"(?<=->)|(?<=[.,(])")


def _wrapped(text: str, width: int, most: int, glyphs: Glyphs) -> list[str]:
    cut = f" {glyphs.cut}"
    wrapper = _CodeWrapper(
        width, max_lines=most, placeholder=cut, subsequent_indent="  ", break_on_hyphens=False, drop_whitespace=True
    )
    return wrapper.wrap(text) or [""]


def _without_end(trace: Trace) -> Sequence[TraceStep]:
    """A race or a deadlock is a state, not what the last step did: the details tell who and where."""
    if not trace.details or not trace.steps:
        return trace.steps
    last = trace.steps[-1]
    events = tuple(event for event in last.events if event.kind is not EventKind.END)
    return (*trace.steps[:-1], replace(last, events=events))
