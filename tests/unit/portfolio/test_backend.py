"""What an installed verifier says about a sequentialized program, with a shell script as the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.codegen.sequential import Options, Reduction
from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.backend import ask, understood, verdict_of
from threadproof.portfolio.prepare import prepare


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("...\nVERIFICATION SUCCESSFUL\n", Verdict.TRUE),
        ("VERIFICATION FAILED", Verdict.FALSE),
        ("Verification result: TRUE. No property violation found", Verdict.TRUE),
        ("RESULT: Ultimate proved your program to be incorrect!", Verdict.FALSE),
        ("unreach-call: false — reach_error() is called", Verdict.FALSE),
        ("out of memory", Verdict.UNKNOWN),
        ("VERIFICATION FAILED\nVERIFICATION SUCCESSFUL", Verdict.UNKNOWN),
    ],
)
def test_words(output: str, verdict: Verdict) -> None:
    assert understood(output) is verdict


def script(folder: Path, body: str) -> str:
    path = folder / "verifier.sh"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    return f"sh {path}"


def test_true_is_about_the_program_with_its_bounds(tmp_path: Path) -> None:
    command = script(tmp_path, 'grep -q "define CHECK_BOUNDS" "$1" && echo VERIFICATION SUCCESSFUL')
    assert ask(command, "int main(void) { return 0; }", 10).verdict is Verdict.TRUE


def test_an_error_that_is_only_a_bound_is_no_answer(tmp_path: Path) -> None:
    command = script(tmp_path, 'grep -q "define CHECK_BOUNDS" "$1" && echo VERIFICATION FAILED')
    assert ask(f"{command} {{}}", "int main(void) { return 0; }", 10).verdict is Verdict.UNKNOWN


def test_false_twice_is_false(tmp_path: Path) -> None:
    assert ask(script(tmp_path, "echo VERIFICATION FAILED"), "", 10).verdict is Verdict.FALSE


def test_a_verifier_that_is_not_there() -> None:
    with pytest.raises(InputError):
        ask("no-such-verifier-anywhere", "", 10)


RACY = """#include <pthread.h>
extern void reach_error(void);
int x;
void *t(void *arg) { x = 1; return 0; }
int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); if (x == WRONG) reach_error(); return 0; }
"""


def said(folder: Path, wrong: int, options: Options) -> Verdict:
    path = folder / "main.c"
    path.write_text(RACY.replace("WRONG", str(wrong)), encoding="utf-8")
    program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())
    return verdict_of(script(folder, "echo VERIFICATION SUCCESSFUL"), program, options, 10).verdict


def test_true_is_held_against_runs_of_the_original(tmp_path: Path) -> None:
    assert said(tmp_path, 2, Options()) is Verdict.TRUE
    assert said(tmp_path, 1, Options()) is Verdict.UNKNOWN


def test_true_within_rounds_is_no_proof(tmp_path: Path) -> None:
    assert said(tmp_path, 2, Options(Reduction.LOCAL, rounds=2)) is Verdict.UNKNOWN
