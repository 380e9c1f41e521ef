from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lost_update import FILE, T1, T2, step, trace_of

from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import MAIN
from threadproof.core.trace import Event, EventKind, Trace, TraceStep
from threadproof.report.lanes import ASCII, HEAD, TAIL, lay_out, plain, quote
from threadproof.report.rows import merge

SOURCE = {4: "int s = n;", 5: "n = s + 1;", 10: "start();", 13: "assert(n == 2);"}

PICTURE = """\
assertion failed: n == 2 at lost.c:13
  assert(n == 2);

step  line    main                  T1                    T2
 1-2    10  ┃ start();            │                     │
            ┃ · creates T1        │                     │
            ┃ · creates T2        │                     │
            ├────────────────────▶│                     │
   3     4  │                     ┃ int s = n;          │
            │                     ┃ · reads n = 0       │
            │                     ├────────────────────▶│
   4     4  │                     │                     ┃ int s = n;
            │                     │                     ┃ · reads n = 0
   5     5  │                     │                     ┃ n = s + 1;
            │                     │                     ┃ · n = 1
            │                     │◀────────────────────┤
   6     5  │                     ┃ n = s + 1;          │
            │                     ┃ · n = 1             │
            │◀────────────────────┤                     │
   7    13  ┃ assert(n == 2);     │                     │
            ┃ · reads n = 1       │                     │
            ┃ · assertion failed: │                     │
            ┃     n == 2          │                     │"""


def source(loc: SourceLoc) -> str:
    return SOURCE.get(loc.line, "")


def text(trace: Trace, width: int = 80) -> str:
    return "\n".join(plain(line) for line in lay_out(trace, source, width))


def test_the_whole_picture(trace: Trace) -> None:
    assert text(trace) == PICTURE


@pytest.mark.parametrize("width", [20, 80, 81, 100, 131, 200])
def test_no_line_is_wider_than_the_terminal(trace: Trace, width: int) -> None:
    assert max(len(line) for line in text(trace, width).splitlines()) <= max(width, 80)


def test_ascii_is_enough(trace: Trace) -> None:
    shown = "\n".join(plain(line) for line in lay_out(trace, source, 80, ASCII))
    assert shown.isascii()
    assert "+--------" in shown


def test_too_many_threads_become_a_list() -> None:
    steps = [step((index,), 5, (EventKind.WRITE, f"n = {index}")) for index in range(9)]
    lines = text(trace_of(*steps)).splitlines()
    assert "T1  lost.c:5  n = s + 1;" in lines
    assert "              · n = 8" in lines


def test_a_long_trace_loses_its_middle_and_says_so() -> None:
    steps = [step(T1 if index % 2 else T2, 4 + index // 2 % 2) for index in range(500)]
    shown = text(trace_of(*steps))
    assert f"{500 - HEAD - TAIL} steps of T1, T2 left out (--json FILE has them all)" in shown
    assert shown.splitlines()[-1].startswith(" 500")


def test_a_long_row_loses_its_middle_and_says_so() -> None:
    shown = text(trace_of(*(step(T1, 5, (EventKind.SYNC, f"creates number {index}")) for index in range(500))))
    assert "creates number 0" in shown
    assert "creates number 499" in shown
    assert "creates number 250" not in shown
    assert "(476 more events)" in " ".join(shown.split())


def test_a_step_over_several_lines_is_cut_where_its_events_are() -> None:
    events = (
        Event(EventKind.READ, "reads n = 0", SourceLoc(FILE, 4)),
        Event(EventKind.CHOICE, "chooses 3", NOWHERE),
        Event(EventKind.END, "failed", SourceLoc(FILE, 13)),
    )
    rows = list(merge([TraceStep(MAIN, SourceLoc(FILE, 4), "main", events)]))
    assert [(row.loc.line, len(row.events), row.number) for row in rows] == [(4, 2, "1"), (13, 1, "1")]


def test_steps_without_a_line_name_their_function() -> None:
    assert "in worker" in text(trace_of(TraceStep(T1, NOWHERE, "worker")))


def test_a_deadlock_ends_with_what_each_thread_waits_for() -> None:
    waits = ("main waits for the end of T1 at lost.c:10", "T1 waits for mutex m at lost.c:4", "T9 too")
    cause = "deadlock: " + "; ".join(waits)
    ended = step(T1, 5, (EventKind.SYNC, "locks n"), (EventKind.END, cause))
    deadlock = replace(trace_of(step(MAIN, 10), ended), cause=cause, details=waits)
    lines = text(deadlock).splitlines()
    assert lines[:4] == ["deadlock", *(f"  {wait}" for wait in waits)]
    assert lines[-2].split() == ["end", "10", "┃", "·", "waits", "for", "the", "end", "of", "T1", "│"]
    assert lines[-1].split() == ["end", "4", "│", "┃", "·", "waits", "for", "mutex", "m"]


def test_a_step_is_numbered_once() -> None:
    events = tuple(Event(EventKind.WRITE, "n = 1", SourceLoc(FILE, line)) for line in (4, 5))
    shown = text(trace_of(TraceStep(MAIN, SourceLoc(FILE, 4), "f", events))).splitlines()
    assert [line[:10] for line in shown[-4::2]] == ["   1     4", "         5"]


def test_files_are_named_when_there_are_several() -> None:
    other = TraceStep(MAIN, SourceLoc("other.c", 4), "g")
    shown = text(trace_of(step(MAIN, 4), other))
    assert "lost.c:" in shown
    assert "┃ other.c:" in shown


def test_source_lines_are_quoted_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int x;\n    x = 1;\n")
    assert quote(SourceLoc(str(file), 2)) == "x = 1;"
    assert quote(SourceLoc(str(tmp_path / "missing.c"), 2)) == ""
    assert quote(NOWHERE) == ""


def test_names_of_files_stay_in_their_lane(trace: Trace) -> None:
    first, *rest = trace.steps
    there = SourceLoc("a/folder/that/is/long/and/has/a/file/with_a_long_name_indeed.c", 3)
    elsewhere = replace(first, loc=there, events=tuple(replace(event, loc=there) for event in first.events))
    lines = text(replace(trace, steps=(elsewhere, *rest))).splitlines()
    assert any("_name_indeed.c:" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_long_words_break_behind_signs_of_c(trace: Trace) -> None:
    event = Event(EventKind.READ, "reads pool->queue.first_of_all = 1", SourceLoc(FILE, 4))
    steps = tuple(replace(one, events=(event,)) if one.loc.line == 4 else one for one in trace.steps)
    assert "┃ · reads pool->      " in text(replace(trace, steps=steps))
