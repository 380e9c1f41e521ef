"""Statements and calls of C text, by their places."""

from __future__ import annotations

from threadproof.witness.source_text import SourceText

TEXT = """#define M(x) { x; }
struct s { int a; } v = { 1 };
int f(int a) { return a + 1; }
int main(void) {
  int i = 0, t[2] = { 1, 2 };
  for (i = 0; i < 3; i++)
    v.a = f(i /* ; */);
  if (i == 3) { f(1); } else { f(")"); }
  do { i--; } while (i > 0);
again: i = ({ int z = 1; z; });
  switch (i) { case 1: f(2); break; default: f(3); }
  return 0;
}
"""


def at(line: int, column: int) -> str:
    text = SourceText("a.c", TEXT)
    found = text.statement(line, column)
    return "" if found is None else TEXT[found.start : found.end]


def test_the_innermost_statement_is_found() -> None:
    assert at(3, 25) == "return a + 1;"
    assert at(5, 20) == "int i = 0, t[2] = { 1, 2 };"
    assert at(7, 11) == "v.a = f(i /* ; */);"
    assert at(6, 17).startswith("for (i = 0;")
    assert at(8, 17) == "f(1);"
    assert at(8, 32) == 'f(")");'
    assert at(9, 22).startswith("do {")
    assert at(9, 8) == "i--;"
    assert at(10, 8).startswith("i = ({")
    assert at(10, 17) == "int z = 1;"
    assert at(11, 24) == "f(2);"
    assert at(11, 46) == "f(3);"


def test_outside_of_functions_there_are_none() -> None:
    assert at(2, 5) == ""
    assert at(99, 1) == ""
    assert at(3, 400) == ""


def test_without_a_column_the_leftmost_counts() -> None:
    assert at(8, 0).startswith("if (i == 3)")
    assert at(7, 0) == "v.a = f(i /* ; */);"


def test_bodies_tell_which_way_a_condition_went() -> None:
    text = SourceText("a.c", TEXT)
    branch = text.statement(8, 3)
    assert branch is not None
    inside, outside = text.offset(8, 17), text.offset(8, 32)
    assert inside is not None
    assert outside is not None
    assert branch.in_body(inside)
    assert not branch.in_body(outside)


def test_calls_end_with_their_parenthesis() -> None:
    text = SourceText("a.c", TEXT)
    end = text.call_end(8, 32)
    assert end is not None
    assert TEXT[end - 4 : end + 1] == '(")")'
    assert text.call_end(5, 7) is None


def test_unbalanced_text_ends() -> None:
    for cut in range(len(TEXT)):
        SourceText("a.c", TEXT[:cut])
