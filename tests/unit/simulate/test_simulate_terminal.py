"""The front end for terminals, with keys from a pipe and a screen that goes nowhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from threadproof.simulate.session import Session
from threadproof.simulate.terminal import interact

Open = Callable[..., Session]
RIGHT, LEFT, TAB, ENTER, END = "\x1b[C", "\x1b[D", "\t", "\r", "\x04"


@pytest.mark.parametrize(
    ("keys", "count", "focus"),
    [
        ("quit\r", 0, ()),
        ("step 2\r" + END, 2, ()),
        ("step\r" + ENTER + END, 2, ()),
        ("help\rbogus\rstep\rquit\r", 1, ()),
        (RIGHT * 2 + TAB + RIGHT * 2 + LEFT + END, 3, (0,)),
        (RIGHT * 2 + TAB * 3 + END, 2, ()),
    ],
)
def test_keys(open_session: Open, keys: str, count: int, focus: tuple[int, ...]) -> None:
    with create_pipe_input() as pipe:
        pipe.send_text(keys)
        session = interact(open_session("lost_update"), pipe, DummyOutput())
    assert (session.here.count, session.focus) == (count, focus)
