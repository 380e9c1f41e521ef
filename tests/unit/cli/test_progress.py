"""What is shown while it takes long: a line for each engine, and the same as JSON lines."""

from __future__ import annotations

import json

import pytest

from threadproof.cli.progress import JsonLines, LastWord, StatusLines, by_engine, observing


def test_each_engine_has_a_line() -> None:
    written: list[str] = []
    shown = StatusLines(LastWord(), 60.0, written.append)
    shown.progress("reading the program")
    assert shown.lines()[0].endswith(" s of at most 60 s · reading the program")
    shown.progress("explicit: exploring", states=12345, waiting=7)
    shown.progress("bmc: unwinding", bound=3.0)
    shown.progress("explicit: exploring", states=23456, waiting=7)
    assert shown.lines()[1:] == ["  explicit  exploring · 23,456 states · 7 waiting", "  bmc       unwinding · bound 3"]
    shown.progress("no-deadlock, property 2 of 3")
    assert len(shown.lines()) == 1
    shown.draw()
    shown.close()
    assert written[-1] == "\x1b[1A\r\x1b[J"


def test_long_lines_are_cut() -> None:
    shown = StatusLines(LastWord(), write=lambda _: None)
    shown.progress("dpor: " + "x" * 500)
    shown.close()
    assert max(map(len, shown.lines())) < 500


def test_a_colon_alone_makes_no_engine() -> None:
    assert by_engine("bmc: unwinding") == ("bmc", "unwinding")
    assert by_engine("strange: thing") == ("", "strange: thing")


def test_json_lines_name_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    last = LastWord()
    stream = JsonLines(last)
    stream.progress("explicit: exploring", states=1)
    stream.progress("bmc: unwinding", bound=1)
    stream.progress("explicit: exploring", states=2)  # too soon
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["engine"], line["what"]) for line in lines] == [("explicit", "exploring"), ("bmc", "unwinding")]
    assert last.said == "explicit: exploring · 2 states; bmc: unwinding · bound 1"


def test_nothing_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with observing() as observer:
        observer.progress("explicit: exploring", states=1)
    assert capsys.readouterr() == ("", "")
