"""Commands of a session: moving, going back, running, keeping schedules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from simulate_support import do, refused

from threadproof.semantics.run import Granularity
from threadproof.simulate.session import Session

Open = Callable[..., Session]


def events(session: Session) -> list[str]:
    """What happened so far, oldest first."""
    steps = [position.done for position in session.here.back()]
    return [event.text for step in reversed(steps) if step for event in step.events]


def test_step_and_back(open_session: Open) -> None:
    start = open_session("lost_update")
    later = do(start, "step 2", "step T1 2")
    assert events(later) == ["creates T1", "creates T2", "reads counter = 0"]
    again = do(later, "back 2")
    assert again.here.count == 2
    assert len(again.ahead) == 2
    assert events(do(again, "next 2")) == events(later)
    assert start.here.count == 0  # nothing was changed in place


def test_a_different_step_leaves_the_schedule(open_session: Open) -> None:
    session = do(open_session("lost_update"), "step 2", "step T1 2", "back 1", "step T2")
    assert session.ahead == ()
    assert do(session, "undo").ahead != ()
    assert "the schedule is at its end" in refused(session, "next")


def test_back_at_the_start_is_refused(open_session: Open) -> None:
    assert refused(open_session("lost_update"), "back") == "this is the start"


def test_undo_takes_back_any_command(open_session: Open) -> None:
    session = do(open_session("lost_update"), "step 2", "T2", "watch counter", "random 3")
    assert session.here.count == 5
    session = do(session, "undo")
    assert (session.here.count, session.watches) == (2, ("counter",))
    session = do(session, "undo", "undo")
    assert (session.watches, session.focus) == ((), ())
    assert refused(do(session, "undo"), "undo") == "nothing to undo"


def test_a_blocked_thread_says_what_it_waits_for(open_session: Open) -> None:
    session = do(open_session("lost_update"), "step 2")
    assert refused(session, "step main") == "main waits for the end of T1"


def test_deadlock_is_told_and_can_be_left(open_session: Open) -> None:
    session = do(open_session("deadlock"), "step 2", "step T1 2", "step T2 2")
    assert session.here.end.startswith("deadlock: ")
    assert "held by T2" in session.here.end
    assert "has ended" in refused(session, "step T1")
    assert not do(session, "back").here.end


def test_assertion_ends_the_execution(open_session: Open) -> None:
    session = do(
        open_session("lost_update"), "step 2", "step T1 2", "T2", "finish", "T1", "finish", "main", "until end"
    )
    assert "assertion failed: counter == 2" in session.here.end
    assert session.said.endswith(session.here.end)


def test_a_question_is_asked_and_answered(open_session: Open) -> None:
    asking = do(open_session(), "step 2")
    assert asking.asking is not None
    assert asking.asking.choose.source == "__VERIFIER_nondet_int"
    assert "is not between" in refused(asking, "99999999999")
    assert "expected a number" in refused(asking, "choose many")
    answered = do(asking, "-7")
    assert answered.asking is None
    assert "__VERIFIER_nondet_int is -7" in events(answered)
    assert do(asking, "back").asking is None
    assert refused(answered, "3") == "no step waits for a value"


@pytest.mark.parametrize("granularity", list(Granularity))
def test_random_is_a_function_of_the_seed(open_session: Open, granularity: Granularity) -> None:
    start = open_session("lost_update", granularity)
    first = do(start, "seed 5", "random until end")
    assert first.here.end
    assert do(start, "seed 5", "random 4", "random until end").here.schedule() == first.here.schedule()
    ends = {do(start, f"seed {seed}", "random until end").here.end for seed in range(12)}
    assert len(ends) == 2  # with and without the lost update


def test_until_line_function_and_condition(open_session: Open) -> None:
    session = do(open_session("peterson_broken"), "step 2", "T1", "until 20")
    assert session.said.endswith("peterson_broken.c:20")
    session = do(session, "until peterson_broken.c:23", "until inside == 0 && !wants[0]")
    assert session.said.endswith("holds")
    instructions = open_session(granularity=Granularity.INSTRUCTION)
    session = do(instructions, "until 32", "step", "7", "until 35", "T1", "until square")
    assert session.said.endswith("T1 is in square")
    assert do(session, "finish").said.endswith("T1 has returned from square")


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ("1", "no code on line 1: the nearest"),
        ("elsewhere.c:20", "no code on elsewhere.c:20"),
        ("nothing == 1", "no variable nothing"),
        ("inside = 1", "compare with =="),
        ("17", "no visible step begins"),
        ("", "until what?"),
    ],
)
def test_goals_that_make_no_sense(open_session: Open, goal: str, why: str) -> None:
    assert why in refused(open_session("peterson_broken"), f"until {goal}")


def test_a_waiting_loop_is_noticed(open_session: Open) -> None:
    session = do(open_session("peterson_broken"), "step 2", "step T1 3", "step T2 2", "until 22")
    assert "goes round in circles" in session.said


def test_save_and_load(open_session: Open, tmp_path: Path) -> None:
    file = str(tmp_path / "schedule.json")
    session = do(open_session("lost_update"), "seed 2", "random until end", f"save {file}")
    loaded = do(open_session("lost_update"), f"load {file}")
    assert (loaded.here.count, len(loaded.ahead)) == (0, session.here.count)
    followed = do(loaded, "next until end")
    assert followed.here.state.key() == session.here.state.key()
    assert followed.here.end == session.here.end
    other = open_session("lost_update", Granularity.INSTRUCTION)
    assert "has visible steps" in refused(other, f"load {file}")


@pytest.mark.parametrize(
    "content", ["{", "{}", "[{}]", '{"schedule": 3}', '{"schedule": [{"thread": ["a"], "choices": []}]}']
)
def test_files_that_are_no_schedule(open_session: Open, tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content)
    assert str(file) in refused(open_session("lost_update"), f"load {file}")


def test_a_schedule_of_another_program(open_session: Open, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps([{"thread": [7], "choices": []}]))
    session = do(open_session("lost_update"), f"load {file}")
    assert "does not fit this program: there is no thread T8" in refused(session, "next")


@pytest.mark.parametrize(
    "command", ["fly", "step 0", "step T9", "thread T9", "seed x", "save", "load", "picture x.png"]
)
def test_commands_that_cannot_be_done(open_session: Open, command: str) -> None:
    assert refused(open_session("lost_update"), command)


@pytest.mark.parametrize("command", ["step T9", "thread T9", "T9"])
def test_a_thread_that_is_not_there_is_answered_with_those_that_are(open_session: Open, command: str) -> None:
    assert refused(open_session("lost_update"), command) == "there is no thread 'T9': choose one of main"


def test_help_names_every_command(open_session: Open) -> None:
    said = do(open_session("lost_update"), "help").said
    assert all(word in said for word in ("step", "back", "until", "random", "save", "load", "undo"))
    assert do(open_session("lost_update"), "help step").said.count("\n") == 0


def test_a_picture_has_no_address_in_it(open_session: Open, tmp_path: Path) -> None:
    file = tmp_path / "screen.svg"
    do(open_session("lost_update"), "step 2", f"picture {file}")
    drawing = file.read_text()
    assert "counter" in drawing
    assert "url(http" not in drawing
