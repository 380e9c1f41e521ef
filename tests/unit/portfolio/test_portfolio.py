"""Limits hold, nothing is left behind, and no verdict is printed without evidence."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.observer import Silent
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe, Verdict
from threadproof.core.schedule import Move
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import VerifyOptions, prepare, verify
from threadproof.portfolio.judge import judge

ENDLESS = """
#include <pthread.h>
extern void reach_error(void);
unsigned long long a, b;
void *f(void *p) { while (1) a = a * 6364136223846793005ull + b + 1; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  while (1) { b = b * 3 + a + 1; if (b == 0x123456789abcdefull) reach_error(); }
}
"""  # nobody finds it, and nobody proves that it is not there
CORRECT = "int g; int main(void) { g = 1; return 0; }"


def write(tmp_path: Path, source: str) -> str:
    file = tmp_path / "main.c"
    file.write_text(source, encoding="utf-8")
    return str(file)


def test_time_runs_out_with_a_reason_and_no_process_is_left(tmp_path: Path) -> None:
    options = VerifyOptions(timeout=1.5)
    (answer,) = verify([write(tmp_path, ENDLESS)], [Property.UNREACH_CALL], options, Silent())
    assert answer.verdict is Verdict.UNKNOWN
    assert "time" in answer.reason
    assert multiprocessing.active_children() == []


def test_memory_runs_out_with_a_reason(tmp_path: Path) -> None:
    options = VerifyOptions(timeout=900, memory_mb=90)
    (answer,) = verify([write(tmp_path, ENDLESS)], [Property.UNREACH_CALL], options, Silent())
    assert answer.verdict is Verdict.UNKNOWN
    assert "memory" in answer.reason


def test_several_properties_share_the_time(tmp_path: Path) -> None:
    options = VerifyOptions(timeout=900)
    answers = verify([write(tmp_path, CORRECT)], list(Property), options, Silent())
    assert [answer.verdict for answer in answers] == [Verdict.TRUE] * len(Property)


def test_too_large_globals_are_unknown(tmp_path: Path) -> None:
    file = write(tmp_path, "char huge[2000000000u] = {1}; int main(void) { return huge[0]; }")
    options = VerifyOptions(frontend=FrontendOptions(data_model=DataModel.ILP32))
    (answer,) = verify([file], [Property.UNREACH_CALL], options, Silent())
    assert answer.verdict is Verdict.UNKNOWN
    assert "address layout" in answer.reason


def test_bad_input_reaches_the_caller(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"main\.c:1"):
        verify([write(tmp_path, "int main(void) { return x; }")], [Property.UNREACH_CALL], VerifyOptions(), Silent())


def test_a_violation_that_does_not_replay_is_an_internal_error(tmp_path: Path) -> None:
    program = prepare([write(tmp_path, CORRECT)], Property.UNREACH_CALL, FrontendOptions())
    for schedule in ((), (Move(()),), (Move((3,)),), (Move((), (1, 2)), Move(()))):
        with pytest.raises(InternalError, match="does not replay"):
            judge(program, Property.UNREACH_CALL, "liar", Unsafe(schedule), Budget(900))


def test_a_proof_that_cut_something_is_an_internal_error(tmp_path: Path) -> None:
    program = prepare([write(tmp_path, CORRECT)], Property.UNREACH_CALL, FrontendOptions())
    proof = CompleteExploration(Covered.STATES, cut=("a bound",))
    with pytest.raises(InternalError, match="cut"):
        judge(program, Property.UNREACH_CALL, "liar", Safe(proof), Budget(900))


UNBOUNDED = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned x;
void *f(void *p) { while (1) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }
"""
BY_VALUE = """
#include <pthread.h>
int x, never;
void *f(void *p) { if (never > 3) x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; return 0; }
"""


@pytest.mark.parametrize(
    ("source", "verdict", "able"),
    [
        (UNBOUNDED, Verdict.TRUE, {"races"}),
        (ENDLESS, Verdict.FALSE, {"races", "explicit", "dpor", "bmc"}),
        (BY_VALUE, Verdict.TRUE, {"explicit", "dpor", "bmc"}),
    ],
)
def test_auto_says_who_answered_about_races(source: str, verdict: Verdict, able: set[str], tmp_path: Path) -> None:
    options = VerifyOptions(timeout=900)
    (answer,) = verify([write(tmp_path, source)], [Property.NO_DATA_RACE], options, Silent())
    assert answer.verdict is verdict
    assert answer.engine in able


def test_auto_about_races_with_any_number(tmp_path: Path) -> None:
    any_number = BY_VALUE.replace("int x,", "int __VERIFIER_nondet_int(void); int x,")
    any_number = any_number.replace("x = 2;", "x = __VERIFIER_nondet_int();")
    options = VerifyOptions(timeout=900)
    (answer,) = verify([write(tmp_path, any_number)], [Property.NO_DATA_RACE], options, Silent())
    assert (answer.verdict, answer.engine) == (Verdict.TRUE, "bmc")  # any number is more than the others can try
