"""How far threads move the smallest and the largest value of memory bounds it, without locks and in arrays: accepted if
every step is within what the proof says, and only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import AddedRange, ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe
from threadproof.encoding.transitions import marks
from threadproof.engines import modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

pytestmark = pytest.mark.usefixtures("without_pairs")

PROP = Property.NO_OVERFLOW
HEAD = """#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x = FIRST, a[5];
"""
RACING = """void *t(void *p) { x = x + STEP; return 0; }
int main(void) {
  pthread_t h;
  CREATING pthread_create(&h, 0, t, 0);
  x--;
}
"""
ELEMENTS = """void *t(void *p) { for (int i = 0; i < 5; i++) a[i]++; return 0; }
int main(void) {
  pthread_t h;
  CREATING pthread_create(&h, 0, t, 0);
  for (int i = 0; i < 5; i++) a[i]--;
  a[2] = a[4] - 1;
}
"""
WRITTEN = "int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 5) a[n] = LARGE;"
LOOP = "for (int i = 0; i < 1000; i++)"


def program_of(folder: Path, text: str, first: int = 0, step: int = 1, creating: str = LOOP) -> Program:
    source = (HEAD + text).replace("FIRST", str(first)).replace("STEP", str(step)).replace("CREATING", creating)
    file = folder / "main.c"
    file.write_text(source, encoding="utf-8")
    return prepare([str(file)], PROP, FrontendOptions())


def asked(program: Program) -> Result:
    return modular.check(Task(program, PROP), Budget(300), Silent())


def proved(program: Program) -> ThreadModularProof:
    found = asked(program)
    assert isinstance(found, Safe)
    assert isinstance(found.proof, ThreadModularProof)
    return found.proof


def is_wrong(program: Program, proof: ThreadModularProof, why: str = "") -> None:
    checked = check_proof(program, PROP, proof, Budget(300))
    assert isinstance(checked, Rejected)
    assert why in checked.why


@pytest.fixture(scope="module")
def racing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, ThreadModularProof]:
    program = program_of(tmp_path_factory.mktemp("racing"), RACING)
    return program, proved(program)


@pytest.fixture(scope="module")
def elements(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, ThreadModularProof]:
    program = program_of(tmp_path_factory.mktemp("elements"), ELEMENTS)
    return program, proved(program)


def test_racing_increments_get_no_further_than_their_number(racing: tuple[Program, ThreadModularProof]) -> None:
    program, proof = racing
    assert proof.marked == ("x+0",)
    [most] = [one.most for one in proof.added if (one.cell, one.template) == ("high x+0", "t")]
    assert most == 1
    assert isinstance(check_proof(program, PROP, proof, Budget(300)), Accepted)


def test_increments_of_elements_count_together(elements: tuple[Program, ThreadModularProof]) -> None:
    program, proof = elements
    assert proof.marked == ("a+0[]",)
    [most] = [one.most for one in proof.added if (one.cell, one.template) == ("high a+0[]", "t")]
    assert most == 5
    assert isinstance(check_proof(program, PROP, proof, Budget(300)), Accepted)


@pytest.mark.parametrize(
    ("cell", "template", "most", "why"),
    [("high x+0", "t", 0, "adds more"), ("low x+0", "main", 0, "adds more"), ("high x+0", "t", 1 << 40, "that much")],
)
def test_bounds_of_marks_that_are_none(
    racing: tuple[Program, ThreadModularProof], cell: str, template: str, most: int, why: str
) -> None:
    program, proof = racing
    others = tuple(one for one in proof.added if (one.cell, one.template) != (cell, template))
    is_wrong(program, replace(proof, added=(*others, AddedRange(cell, template, 0, most))), why)


def test_marks_without_bounds_and_bounds_without_marks(racing: tuple[Program, ThreadModularProof]) -> None:
    program, proof = racing
    is_wrong(program, replace(proof, added=()))
    is_wrong(program, replace(proof, marked=()), "nothing is known")
    is_wrong(program, replace(proof, marked=("x+0", "y+0")), "marks of")


def test_what_labels_say_of_marks_is_asked(racing: tuple[Program, ThreadModularProof]) -> None:
    """That nothing was ever above its first value: no thread ever begins with another one, but a step makes it."""
    program, proof = racing
    wrong = "(declare-const |high x+0| (_ BitVec 32))\n(assert (= |high x+0| (_ bv0 32)))"
    at = tuple((template, number, 0) for template, number, _ in proof.at)
    is_wrong(program, replace(proof, labels=wrong, at=at), "letter")


def test_a_proof_for_programs_in_which_marks_move_further(
    racing: tuple[Program, ThreadModularProof], tmp_path: Path
) -> None:
    for other in (
        program_of(tmp_path, RACING, step=2),
        program_of(tmp_path, RACING, first=2147483000),
        program_of(tmp_path, RACING, creating="for (int i = 0; i < 1001; i++)"),
        program_of(tmp_path, RACING.replace("return 0;", "x = x + 1; return 0;")),
    ):
        is_wrong(other, racing[1])


def test_a_large_number_in_any_element(elements: tuple[Program, ThreadModularProof], tmp_path: Path) -> None:
    """Written to an element that is known in the run only."""
    text = ELEMENTS.replace("return 0; }", WRITTEN.replace("LARGE", "2147483647") + " return 0; }")
    wrong = program_of(tmp_path, text)
    is_wrong(wrong, elements[1])
    assert not isinstance(asked(wrong), Safe)


@pytest.mark.parametrize(
    ("text", "first", "step", "creating"),
    [
        (RACING, 0, 3000000, LOOP),
        (RACING, 2147483000, 1, LOOP),
        (RACING, 0, 1, "while (__VERIFIER_nondet_int())"),
        (RACING.replace("x = x", "while (__VERIFIER_nondet_int()) x = x"), 0, 1, LOOP),
        (ELEMENTS.replace("a[i]++", "a[i] += 600000"), 0, 1, LOOP),
        (ELEMENTS.replace("a[i]++", "a[i] += i * 200000"), 0, 1, LOOP),
    ],
)
def test_what_may_overflow_is_not_proved(tmp_path: Path, text: str, first: int, step: int, creating: str) -> None:
    assert not isinstance(asked(program_of(tmp_path, text, first, step, creating)), Safe)


def test_stores_that_no_mark_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If formulas forgot what is written to elements, random runs would tell: labels say that nothing was."""
    from threadproof.evidence.proofs import modular as checker

    program = program_of(tmp_path, ELEMENTS, creating="for (int i = 0; i < 2; i++)")
    proof = proved(program)
    monkeypatch.setattr(marks.MarkedMemory, "written", lambda *given: [])  # pyright: ignore[reportUnknownLambdaType]
    never = tuple(replace(one, least=0, most=0) for one in proof.added)
    for name in ("_check_first", "_check_traps", "_check_leads"):
        monkeypatch.setattr(checker._ModularChecker, name, lambda self, *given: None)  # pyright: ignore[reportPrivateUsage]
    is_wrong(program, replace(proof, added=never), "a run of the reference semantics")


def test_what_is_written_over_at_once_was_in_no_state() -> None:
    from threadproof.smt.term import Array
    from threadproof.smt.terms import Terms

    terms = Terms()
    array, (at, there) = terms.var("a", Array(32, 32)), (terms.bv_var(name, 32) for name in ("i", "j"))
    memory = marks.MarkedMemory(terms, ())
    twice = terms.store(terms.store(array, at, terms.bv(7, 32)), there, terms.bv(8, 32))
    assert memory.written(array, twice) == [(terms.bv(7, 32), terms.ne(at, there)), (terms.bv(8, 32), terms.true)]
    asked = terms.bool_var("c")
    chosen = terms.ite(asked, terms.store(array, at, terms.bv(7, 32)), array)
    assert memory.written(array, chosen) == [(terms.bv(7, 32), asked)]
