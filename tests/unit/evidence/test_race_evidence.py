"""A proof about races that does not fit the program is noticed: by what it leaves out, and by what runs do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.observer import Silent
from threadproof.core.proofs import RaceProof
from threadproof.core.property import Property
from threadproof.core.result import Safe, Verdict
from threadproof.engines import races
from threadproof.engines.task import Task
from threadproof.evidence.proofs.race_coverage import missing_accesses
from threadproof.evidence.runs import contradiction
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAM = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int locked, constant = 3, mine, shared; _Atomic int atomic;
void *f(void *a) {
  pthread_mutex_lock(&m);
  locked += constant;
  pthread_mutex_unlock(&m);
  pthread_rwlock_wrlock(&rw);
  shared++;
  pthread_rwlock_unlock(&rw);
  atomic++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  mine = constant;
  f(0);
  return 0;
}
"""


def prepared(tmp_path: Path, text: str) -> Program:
    source = tmp_path / "main.c"
    source.write_text(text, encoding="utf-8")
    return prepare([str(source)], Property.NO_DATA_RACE, FrontendOptions())


def proved(program: Program) -> RaceProof:
    result = races.check(Task(program, Property.NO_DATA_RACE), Budget(900), Silent())
    assert isinstance(result, Safe), result
    assert isinstance(result.proof, RaceProof)
    return result.proof


def claims(proof: RaceProof) -> dict[str, str]:
    return {claim.object: claim.kind.value for claim in proof.claims}


def test_claims_of_a_proof(tmp_path: Path) -> None:
    proof = proved(prepared(tmp_path, PROGRAM))
    assert claims(proof) == {
        "locked": "lock",
        "constant": "read",
        "mine": "thread",
        "shared": "lock",
        "atomic": "atomic",
    }
    assert proof.shared["locked"] == "every access holds m"


def test_a_good_proof_is_accepted(tmp_path: Path) -> None:
    program = prepared(tmp_path, PROGRAM)
    answer = judge(program, Property.NO_DATA_RACE, "races", Safe(proved(program)), Budget(900))
    assert answer.verdict is Verdict.TRUE


ALONE = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_create(&u, 0, f, 0);
  f(0);
  return 0;
}
"""


def test_a_thread_that_is_alone_locks_and_accesses_in_one_step(tmp_path: Path) -> None:
    program = prepared(tmp_path, ALONE)
    proof = proved(program)
    assert claims(proof) == {"x": "lock"}
    assert contradiction(program, Property.NO_DATA_RACE, proof, Budget(1)) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  pthread_mutex_lock(&m);\n", "  ;\n"),
        ("pthread_rwlock_wrlock(&rw)", ";"),
        ("_Atomic int atomic;", "int atomic;"),
        ("  atomic++;\n", "  atomic++; mine = 1;\n"),
        ("  atomic++;\n", "  atomic++; constant = 1;\n"),
    ],
    ids=["lock", "write lock", "atomic", "thread", "read"],
)
def test_a_proof_of_another_program_is_refused(
    tmp_path: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threadproof.portfolio.judge.CHECKING_LEAST_S", 600.0)
    monkeypatch.setattr("threadproof.portfolio.judge.CHECKING_S", 600.0)
    proof = proved(prepared(tmp_path, PROGRAM))
    assert old in PROGRAM
    other = prepared(tmp_path, PROGRAM.replace(old, new))
    assert contradiction(other, Property.NO_DATA_RACE, proof, Budget(900)) is not None
    with pytest.raises(InternalError):
        judge(other, Property.NO_DATA_RACE, "races", Safe(proof), Budget(900))


def test_an_access_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    program = prepared(tmp_path, PROGRAM)
    proof = proved(program)
    assert missing_accesses(program, proof) == []
    short = replace(proof, lines=proof.lines[1:])
    assert len(missing_accesses(program, short)) == 1
    answer = judge(program, Property.NO_DATA_RACE, "races", Safe(short), Budget(900))
    assert answer.verdict is Verdict.UNKNOWN


BY_VALUE = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int value;
void *f(void *a) {
  pthread_mutex_lock(&m);
  int was = value;
  pthread_mutex_unlock(&m);
  if (was > 0)
    value = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  value++; value--;
  pthread_mutex_unlock(&m);
  return 0;
}
"""


def test_a_line_that_is_said_to_be_unreached_is_not_reached(tmp_path: Path) -> None:
    program = prepared(tmp_path, BY_VALUE)
    proof = proved(program)
    assert [line.rpartition(":")[2] for line in proof.unreached] == ["10"]
    assert missing_accesses(program, proof) == []
    assert contradiction(program, Property.NO_DATA_RACE, proof, Budget(1)) is None
    other = prepared(tmp_path, BY_VALUE.replace("was > 0", "was == 0").replace("value++; value--;", ";"))
    against = contradiction(other, Property.NO_DATA_RACE, proof, Budget(900))
    assert against is not None
    assert "which the proof says nobody does" in against.what
