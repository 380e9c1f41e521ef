"""Letters that no shortest way to an error has."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import End, Letter, program_automaton
from threadproof.core.property import Property
from threadproof.encoding.transitions import Encoder, Space
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.encoding.transitions.futile import futile_letters
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare
from threadproof.smt.terms import Terms

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x, y;
void *f(void *p) {
  BODY
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = y = 1;
  pthread_join(t, 0);
  if (x + y == 7) reach_error();
  return 0;
}
"""


def found(folder: Path, body: str, prop: Property = Property.UNREACH_CALL) -> tuple[list[Letter], frozenset[int]]:
    """The letters of the thread, and which of them are futile."""
    file = folder / "main.c"
    file.write_text(SOURCE.replace("BODY", body), encoding="utf-8")
    program = prepare([str(file)], prop, FrontendOptions())
    automaton = program_automaton(program)
    table = AllLetters(Encoder(Space(Terms(), program, automaton)))

    def may_go_wrong(key: LetterKey) -> bool:
        return any(role(prop, trap.what) is not TrapRole.ENDS for one in table.transitions[key] for trap in one.traps)

    letters = list(automaton.templates["f"].letters)
    futile = futile_letters(table, may_go_wrong)
    return letters, frozenset(number for instance, number in futile if instance.template == "f")


@pytest.mark.parametrize(
    ("body", "futile_ends"),
    [
        ("x = 1;", set[End]()),
        ("if (x) abort(); y = 1;", {End.HALTED}),
        ("if (x) exit(0); if (y) reach_error();", {End.HALTED}),
        ("abort();", {End.HALTED}),
    ],
)
def test_ends(tmp_path: Path, body: str, futile_ends: set[End]) -> None:
    letters, futile = found(tmp_path, body)
    assert {one.target.at for one in letters if one.id in futile and isinstance(one.target.at, End)} == futile_ends
    for one in letters:
        assert one.target.at not in (End.FINISHED, End.ERROR) or one.id not in futile


@pytest.mark.parametrize(
    ("body", "all_are"),
    [
        ("while (1);", True),
        ("unsigned i = 0; while (1) i = i * 3 + x;", True),  # what it reads does not matter
        ("unsigned i = 0; while (1) { i++; x = 1; }", False),
        ("unsigned i = 0; while (i < 7) i++;", False),  # it may end, which others can wait for
        ("int i = 1; while (1) i = 7 / (i + x);", False),  # may divide by 0
        ("int i = x; if (i) { while (1); } abort();", True),
        ("int i = x; if (i) { while (1); } y = 1; abort();", False),
    ],
)
def test_loops(tmp_path: Path, body: str, all_are: bool) -> None:
    letters, futile = found(tmp_path, body)
    reached = {one.id for one in letters if one.target.at is not End.FINISHED}
    assert (reached <= futile) is all_are


def test_an_error_that_is_not_asked_for_only_ends_the_program(tmp_path: Path) -> None:
    for prop, is_futile in ((Property.UNREACH_CALL, False), (Property.NO_OVERFLOW, True)):
        letters, futile = found(tmp_path, "if (x) reach_error(); y = 1;", prop)
        errors = [one.id for one in letters if one.target.at is End.ERROR]
        assert errors
        assert (set(errors) <= futile) is is_futile


def test_threads_that_create_are_of_use(tmp_path: Path) -> None:
    letters, futile = found(tmp_path, "pthread_t t; while (1) { if (x) pthread_create(&t, 0, f, 0); }")
    assert all(one.id not in futile for one in letters)
