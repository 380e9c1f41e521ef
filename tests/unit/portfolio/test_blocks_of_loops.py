"""Heap blocks that loops make: what an attack found. No test had a block that is written and freed in one step before a
violation, nor a proof whose path chooses the content of a block among several."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.portfolio import VerifyOptions, verify

FREED = """
#include <stdlib.h>
#include <assert.h>
int main(void) {
  for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i; free(p); assert(i == 0); }
  return 0;
}
"""
TWO = """
#include <stdlib.h>
#include <assert.h>
int main(void) {
  int *p[2];
  for (int i = 0; i < 2; i++) { p[i] = malloc(4); *p[i] = i; }
  assert(*p[0] == 0);
  return 0;
}
"""

REUSED = """
#include <stdlib.h>
#include <assert.h>
int main(void) {
  char *last = 0;
  for (int i = 0; i < 2; i++) { char *p = malloc(4); assert(p != last); last = p; free(p); }
  return 0;
}
"""
FOUR = """
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; } *head;
int main(void) {
  for (int i = 0; i < 4; i++) { struct node *p = malloc(sizeof *p); p->v = i; p->next = head; head = p; }
  assert(head->next->next->next == head);
  return 0;
}
"""


@pytest.mark.parametrize("engine", ["cegar", "impact", "trace", "modular"])
@pytest.mark.parametrize("text", [REUSED, FOUR])
def test_never_proved(tmp_path: Path, text: str, engine: str) -> None:
    """The second block may lie where the first was; a fourth one is not told apart."""
    file = tmp_path / "main.c"
    file.write_text(text, encoding="utf-8")
    [answer] = verify([str(file)], [Property.UNREACH_CALL], VerifyOptions(engine=engine, timeout=15.0), Silent())
    assert answer.verdict is not Verdict.TRUE


@pytest.mark.parametrize(
    ("text", "engine", "verdicts"),
    [(FREED, "auto", {Verdict.FALSE}), (TWO, "impact", {Verdict.TRUE, Verdict.UNKNOWN}), (TWO, "auto", {Verdict.TRUE})],
)
def test_a_clean_answer(tmp_path: Path, text: str, engine: str, verdicts: set[Verdict]) -> None:
    file = tmp_path / "main.c"
    file.write_text(text, encoding="utf-8")
    [answer] = verify([str(file)], [Property.UNREACH_CALL], VerifyOptions(engine=engine, timeout=60.0), Silent())
    assert answer.verdict in verdicts
