"""The screen as text, in every size, and script mode."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from simulate_support import EXAMPLES, do

from threadproof.cli.main import run
from threadproof.simulate.locks import locks
from threadproof.simulate.session import Session
from threadproof.simulate.text import length, plain
from threadproof.simulate.view import notices, page, screen

Open = Callable[..., Session]
PETERSON = str(EXAMPLES / "peterson_broken.c")
GOLDEN = Path(__file__).parent / "peterson.txt"


def text(session: Session, width: int = 100) -> str:
    return "\n".join(plain(line) for line in page(session, width))


def test_threads_with_what_they_would_do(open_session: Open) -> None:
    shown = text(do(open_session("deadlock"), "step 2", "step T1 2"))
    assert "waits for the end of T1" in shown
    assert "held by T1" in shown


@pytest.mark.parametrize("width", [40, 80, 108, 200])
@pytest.mark.parametrize("height", [12, 24, 50])
def test_every_size_fits(open_session: Open, width: int, height: int) -> None:
    for commands in ((), ("step 2", "step T1 2"), ("random until end",)):
        lines = screen(do(open_session("peterson_broken"), *commands), width, height)
        assert all(length(line) <= width for line in lines)
        assert len(lines) <= max(height, 16)


def test_locks_and_owners(open_session: Open) -> None:
    session = do(open_session(), "step 2", "7", "until end")
    found = {lock.title: lock.says for lock in locks(session.world, session.here)}
    assert found == {"m[0]": "held by main", "m[1]": "free"} or found == {"m[0]": "held by main"}
    assert "needs a value" in text(do(open_session(), "step 2"))


def test_watches_and_changes(open_session: Open) -> None:
    session = do(open_session("lost_update"), "watch counter * 10", "watch T1::seen", "step 2", "step T1 3")
    shown = text(session)
    assert " counter * 10 = 10" in shown
    assert " counter = 1" in shown
    assert "T1::seen = (seen is not in scope now" in shown


def test_the_end_is_said_in_words(open_session: Open) -> None:
    session = do(open_session("lost_update"), "random until end")
    assert plain(notices(session)[0]).startswith("The execution ends: ")


def test_script_golden(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The Peterson bug by hand, from the first command on."""
    monkeypatch.chdir(EXAMPLES.parent)
    commands = ["step 2", "step T1 2", "step T2", "until 23", "show", "T1", "until end", "show", "back 2", "next 2"]
    asked = [part for command in commands for part in ("-c", command)]
    assert run(["simulate", "examples/peterson_broken.c", *asked]) == 0
    shown = capsys.readouterr().out
    assert shown[shown.index("\n> ") + 1 :] == GOLDEN.read_text(encoding="utf-8")


def test_a_refused_command_ends_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", PETERSON, "-c", "step 2", "-c", "step main", "-c", "step"]) == 3
    said = capsys.readouterr()
    assert "command 2, `step main`: main waits for the end of T1" in said.err
    assert "> step 2" in said.out


def test_a_counterexample_can_be_entered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = str(tmp_path / "trace.json")
    assert run(["verify", PETERSON, "--json", trace]) == 1
    capsys.readouterr()
    assert run(["simulate", PETERSON, "--trace", trace, "--at", "end", "-c", "back", "-c", "next"]) == 0
    assert capsys.readouterr().out.count("The execution ends: assertion failed: inside == 1") == 2
    assert run(["simulate", PETERSON, "--trace", trace, "-c", "next until end"]) == 0
    assert "> next until end" in capsys.readouterr().out
    assert run(["simulate", PETERSON, "--trace", trace, "--granularity", "instruction", "-c", "next"]) == 3


def test_what_is_saved_replays(tmp_path: Path) -> None:
    file = str(tmp_path / "saved.json")
    commands = ["step 2", "step T1 2", "step T2", "until 23", "T1", "until end", f"save {file}"]
    assert run(["simulate", PETERSON, *(part for command in commands for part in ("-c", command))]) == 0
    assert run(["replay", file, PETERSON]) == 1


def test_the_race_of_a_race_counterexample_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, program = str(tmp_path / "race.json"), str(EXAMPLES / "lost_update.c")
    assert run(["verify", program, "-p", "no-data-race", "--json", trace]) == 1
    assert run(["simulate", program, "--trace", trace, "--at", "end", "-c", "show"]) == 0
    assert "data race on counter" in capsys.readouterr().out


def test_a_level_of_splitting_can_be_entered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shape that `smc --splitting ... --json` writes."""
    main = [{"thread": [], "choices": []}]
    file = tmp_path / "rare.json"
    file.write_text(json.dumps({"reached": [{"score": 1, "schedule": main}, {"score": 2.5, "schedule": main * 3}]}))
    assert run(["simulate", PETERSON, "--trace", str(file), "--at", "end", "-c", "show"]) == 0
    shown = capsys.readouterr().out
    assert "instructions · step 3" in shown
    assert "splitting reached level 2 of 2, score 2.5" in shown
    assert run(["simulate", PETERSON, "--trace", str(file), "--level", "1", "-c", "next"]) == 0
    assert run(["simulate", PETERSON, "--trace", str(file), "--level", "3", "-c", "next"]) == 3
    assert "there are levels 1 to 2" in capsys.readouterr().err
    assert run(["simulate", PETERSON, "--level", "1", "-c", "next"]) == 3
