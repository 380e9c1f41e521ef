"""Conditions over C names: parsing, values, what is refused and what has no value."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from simulate_support import do

from threadproof.semantics.run import Granularity
from threadproof.simulate.evaluate import NameScope, Undetermined, Wrong, value_of
from threadproof.simulate.session import Session
from threadproof.simulate.syntax import SyntaxProblem, parse

Open = Callable[..., Session]


def scope(session: Session) -> NameScope:
    return NameScope(session.world, session.state, session.focus)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - -4", 11),
        ("(1 + 2) * 3", 9),
        ("7 / -2", -3),
        ("-7 % 3", -1),
        ("1 << 4 | 1", 17),
        ("6 & 3 ^ 1", 3),
        ("1 == 1 && 0 != 0 || 3 >= 3", 1),
        ("!5 ? 1 : 2", 2),
        ("0x10 + 010 + 'A' + '\\n'", 16 + 8 + 65 + 10),
        ("~0", -1),
        ("1 && 1 / 0 == 0 ? 1 : 0", None),
        ("0 && 1 / 0", 0),
        ("head.v", 3),
        ("p->v + 1", 4),
        ("*p == 0", None),
        ("p == &head", 1),
        ("head.next == NULL", 1),
        ("a[0] + a[a[0]]", 3),
        ("a[3]", None),
        ("d * 2", 3.0),
        ("u > 3999999999", 1),
        ("small", -3),
        ("bits.low", -2),
        ("bits.high", 17),
        ("mode == OFF", 1),
        ("text[1] == 'i'", 1),
        ("square::calls", 4),
        ("calls", 4),
        ("head", None),
        ("square::r", None),
        ("T1::q", None),
        ("T1.2::q == 0", None),
    ],
)
def test_values(open_session: Open, text: str, value: float | None) -> None:
    session = open_session()
    if value is None:
        with pytest.raises(Undetermined):
            scope(session).number(parse(text))
    else:
        assert scope(session).number(parse(text)) == value


@pytest.mark.parametrize(
    ("text", "where"),
    [("1 +", 4), ("x ==", 5), ("x = 3", 3), ("(x", 3), ("x $ 3", 3), ("a[1", 4), ("x x", 3), ("p->3", 4), ("", 1)],
)
def test_syntax_errors_say_where(text: str, where: int) -> None:
    with pytest.raises(SyntaxProblem, match=f"column {where}"):
        parse(text)


@pytest.mark.parametrize(
    "text", ["nosuch", "head.nosuch", "x.v", "x[0]", "*x", "T1::nosuch", "nowhere::x", "d & 1", "&1"]
)
def test_what_makes_no_sense(open_session: Open, text: str) -> None:
    with pytest.raises(Wrong):
        scope(open_session()).number(parse(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("head", "{v = 3, next = NULL}"),
        ("*p", "{v = 3, next = NULL}"),
        ("a", "{1, 2, 3}"),
        ("text", '"hi"'),
        ("d", "1.5"),
        ("mode", "OFF"),
        ("ON", "1"),
        ("x + 1", "1"),
    ],
)
def test_values_as_people_read_them(open_session: Open, text: str, shown: str) -> None:
    assert value_of(scope(open_session()), text) == shown


def test_a_pointer_to_a_variable_that_is_defined_nowhere(open_session: Open) -> None:
    assert value_of(scope(open_session()), "away") == "&elsewhere"
    with pytest.raises(Undetermined):
        scope(open_session()).number(parse("*away"))


def test_locals_and_thread_locals(open_session: Open) -> None:
    session = do(open_session(granularity=Granularity.INSTRUCTION), "until 32", "step", "7", "until 35")
    assert value_of(scope(session), "i") == "7"
    session = do(session, "T1", "until square", "finish", "until mode == ON")
    assert [value_of(scope(session), f"{thread}::own") for thread in ("main", "T1")] == ["0", "5"]
    assert value_of(scope(session), "main::i") == "7"
    assert value_of(scope(session), "main::t") == "T1"
