"""Invariants in C: let into the text only without effects, put in the right place, proved from the text alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.invariants.annotate import annotated
from threadproof.invariants.expressions import why_unfit
from threadproof.invariants.ghosts import with_ghosts
from threadproof.invariants.instrument import NoPlace, failing, instrumented
from threadproof.invariants.prove import CheckedProgram, NotProvedAgain, ProvedAgain, proved_part
from threadproof.ir.program import Taken
from threadproof.witness.correctness import correctness_graphml, correctness_yaml, is_correctness, read_correctness
from threadproof.witness.model import CorrectnessWitness, SourcePosition, StateInvariant
from threadproof.witness.rules import broken_rules
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.task import WitnessTask

OPTIONS = FrontendOptions(undefined=Taken.PURE)
PROGRAM = """#include <pthread.h>
extern void reach_error(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *both(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  y = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, both, 0);
  for (int i = 0; i < 2; i++)
    pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (x != y)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "main.c"
    path.write_text(
        PROGRAM.replace("  for (int i = 0; i < 2; i++)\n    pthread_mutex_lock(&m), pthread_mutex_unlock(&m);\n", "")
    )
    return str(path)


def said(file: str, *given: tuple[int, str]) -> CorrectnessWitness:
    invariants = tuple(StateInvariant(SourcePosition(file, line, 0, ""), value) for line, value in given)
    return with_ghosts(CorrectnessWitness(invariants=invariants), SourceTexts([file]))


@pytest.mark.parametrize(
    "text",
    [
        "x == y",
        "a[i] < 5U && !(b || c)",
        "((int)(((unsigned int)x) + 1U)) != y",
        "p->next.v >= -3",
        "x ? y : 0x1fL == z",
    ],
)
def test_conditions_without_effects_are_let_in(text: str) -> None:
    assert not why_unfit(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "x = 1",
            "x++",
            "--x",
            "f()",
            "(f)(x)",
            "a[0](1)",
            "x == 1; abort()",
            "x)) abort((1",
            "x, y",
            "",
            "x == 1 //",
        ),
        *(
            "({ 1; })",
            'x == "a"',
            "sizeof(int)",
            "x /* */ == 1",
            "x += 1",
            "while",
            "\\old(x) == 1",
            "x == 1\\\n#",
            "LIMIT",
        ),
    ],
)
def test_everything_else_is_not(text: str) -> None:
    assert why_unfit(text, ["#define LIMIT (x = 3)\n#define N 5\n"])


def test_macros_that_are_numbers_are_let_in() -> None:
    assert not why_unfit("x < N", ["#define N 5\n"])


def test_checks_are_put_before_statements_and_conditions(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int x;\nint main(void) {\n  for (;;) if (x) x = 2; else x = 3;\n  while (x) x--;\n}\n")
    place = SourcePosition(str(path), 3, 19)
    one = StateInvariant(place, "x == 1")
    loop = StateInvariant(SourcePosition(str(path), 4, 3), "x > 0", loop=True)
    forever = StateInvariant(SourcePosition(str(path), 3, 3), "x >= 0", loop=True)
    [made] = instrumented(SourceTexts([str(path)]), CorrectnessWitness(invariants=(one, loop, forever)), failing)
    assert "if (x) { __VERIFIER_atomic_begin(); if (!(x == 1)) threadproof_broken_0();" in made.text
    assert "x = 2; } else x = 3;" in made.text
    assert "while (({ __VERIFIER_atomic_begin(); if (!(x > 0)) threadproof_broken_1();" in made.text
    assert "1; }) && (x)) x--;" in made.text
    assert "for (;({ __VERIFIER_atomic_begin(); if (!(x >= 0)) threadproof_broken_2();" in made.text
    assert made.text.splitlines()[made.lines[1] - 1].startswith("static void threadproof_broken_1(")
    for text in ("if (x)\n#ifdef A\n  x = 1;\n#else\n  x = 2;\n#endif\n", "if (x) here: x = 2;\n"):
        path.write_text(f"int x;\nint main(void) {{\n{text}}}\n")
        [whole] = [SourceTexts([str(path)]).of(str(path))]
        assert whole is not None
        two = StateInvariant(SourcePosition(str(path), *whole.place(whole.text.index("x = 2"))), "x == 1")
        [made] = instrumented(SourceTexts([str(path)]), CorrectnessWitness(invariants=(two,)), failing)
        assert "__VERIFIER_atomic_end(); x = 2; }" in made.text  # one statement, as before
    wrong = CorrectnessWitness(invariants=(StateInvariant(place, "1", loop=True),))
    with pytest.raises(NoPlace):
        instrumented(SourceTexts([str(path)]), wrong, failing)


def test_ghosts_change_with_their_lock(file: str) -> None:
    witness = said(file, (6, "m_locked || x == y"), (14, "x >= 0"))
    assert [one.name for one in witness.ghosts] == ["m_locked"]
    assert [(one.position.line, one.value) for one in witness.updates] == [(6, "1"), (9, "0"), (15, "1"), (18, "0")]
    [made] = instrumented(SourceTexts([file]), witness, failing)
    assert "__VERIFIER_atomic_begin(); pthread_mutex_lock(&m); m_locked = 1; __VERIFIER_atomic_end();" in made.text


def test_ghosts_of_phases_change_with_the_creation(file: str) -> None:
    witness = said(file, (15, "both_started || x == 0"))
    assert [(one.position.line, one.variable, one.value) for one in witness.updates] == [(14, "both_started", "1")]
    assert isinstance(CheckedProgram(witness, [file], OPTIONS).proved(Property.UNREACH_CALL, 60), ProvedAgain)


def test_no_ghost_of_a_lock_that_is_used_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "main.c"
    path.write_text(PROGRAM)
    assert said(str(path), (6, "m_locked || x == y"), (14, "x >= 0")).invariants == (
        StateInvariant(SourcePosition(str(path), 14, 0, ""), "x >= 0"),
    )


def test_the_witness_alone_is_proved_again(file: str, tmp_path: Path) -> None:
    texts = SourceTexts([file])
    witness = said(file, (6, "m_locked || x == y"), (16, "x == y"))
    for ending, text in ((".yml", correctness_yaml), (".graphml", correctness_graphml)):
        path = str(tmp_path / f"w{ending}")
        Path(path).write_text(text(witness, WitnessTask((file,), Property.UNREACH_CALL, "LP64")))
        assert broken_rules(path, [file]) == []
        assert is_correctness(path)
        read = read_correctness(path, texts)
        kept = witness.invariants if ending == ".yml" else witness.invariants[1:]
        assert [(one.position.line, one.value) for one in read.invariants] == [(o.position.line, o.value) for o in kept]
    read = read_correctness(str(tmp_path / "w.yml"), texts)
    assert isinstance(CheckedProgram(read, [file], OPTIONS).proved(Property.UNREACH_CALL, 60), ProvedAgain)


def test_invariants_are_the_first_predicates_of_their_proof(file: str) -> None:
    found = CheckedProgram(said(file, (6, "m_locked || x == y")), [file], OPTIONS).proved(Property.UNREACH_CALL, 60)
    assert isinstance(found, ProvedAgain)
    assert found.seeded


def test_what_does_not_hold_is_named_and_dropped(file: str) -> None:
    witness = said(file, (16, "x == y"), (7, "x == 1"))
    found = CheckedProgram(witness, [file], OPTIONS).proved(Property.UNREACH_CALL, 60)
    assert found == NotProvedAgain("an invariant does not hold", 1)
    assert proved_part(witness, [file], OPTIONS, 60).invariants == witness.invariants[:1]


def test_what_is_not_in_scope_is_dropped(file: str) -> None:
    witness = said(file, (7, "nobody == 1"), (16, "x == y"))
    assert isinstance(CheckedProgram(witness, [file], OPTIONS).proved(Property.UNREACH_CALL, 60), NotProvedAgain)
    assert proved_part(witness, [file], OPTIONS, 60).invariants == witness.invariants[1:]


def test_comments_change_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "int x;\nint main(void) {\n  x = 1 + \\\n    2; x = 3;\n  /* over\n lines */ x = 4;\n  return x;\n}\n"
    )
    invariants = tuple(StateInvariant(SourcePosition(str(path), line, 0, ""), "x >= 0") for line in (4, 6, 7))
    found = annotated(CorrectnessWitness(invariants=invariants), SourceTexts([str(path)]))[str(path)]
    comment = "  /* invariant: x >= 0 */\n"
    assert found.replace(comment, "") == path.read_text()
    lines = found.splitlines()
    assert [lines[i + 1] for i, line in enumerate(lines) if "invariant:" in line] == [
        "  x = 1 + \\",
        "  /* over",
        "  return x;",
    ]


def test_locks_are_told_in_words(file: str) -> None:
    found = annotated(said(file, (6, "m_locked || x == y")), SourceTexts([file]))[file]
    assert "  /* invariant: while m is free: x == y */\n  pthread_mutex_lock(&m);" in found
