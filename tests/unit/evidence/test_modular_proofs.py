"""Thread-modular invariants are accepted if every step of any number of threads keeps them, and only then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines import modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, NotChecked, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

PROP = Property.UNREACH_CALL
HEAD = """#include <pthread.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
"""
RESTORED = """void *t(void *a) {
  pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t h; FIRST
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
  pthread_mutex_lock(&m); if (x ASKED) reach_error(); pthread_mutex_unlock(&m);
}
"""
CREATED_WITH = """void *t(void *a) {
  pthread_mutex_lock(&m); if (x == 1) reach_error(); x = 0; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t h; x = FIRST;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
}
"""
BETWEEN = """void *t(void *a) {
  pthread_mutex_lock(&m); if (x > 0) x--; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t h;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
  while (1) { pthread_mutex_lock(&m); if (x < 0) reach_error(); if (x < 1000) x++; pthread_mutex_unlock(&m); }
}
"""
SNAPSHOT = """unsigned y;
void *t(void *a) {
  unsigned old; _Bool done;
  __VERIFIER_atomic_begin(); old = y; __VERIFIER_atomic_end();
  if (old == -1u) return 0;
  __VERIFIER_atomic_begin(); done = y == old; if (done) y = old + 1; __VERIFIER_atomic_end();
  if (!done) return 0;
  __VERIFIER_atomic_begin(); if (y <= old) reach_error(); __VERIFIER_atomic_end();
  return 0;
}
int main(void) { pthread_t h; while (1) pthread_create(&h, 0, t, 0); }
"""
ARGUMENTS = """void *t(void *a) { if (a == (void *)SECOND) reach_error(); return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, (void *)1); pthread_create(&h, 0, t, (void *)2);
}
"""
PROGRAMS = {
    "two started in one letter": ARGUMENTS.replace("SECOND", "3"),
    "the second has another argument": ARGUMENTS.replace("SECOND", "2"),
    "between": BETWEEN,
    "snapshot": SNAPSHOT,
    "harmless": """void *t(void *a) { x = 1; return 0; }
int main(void) { pthread_t h; while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0); }""",
    "safe": RESTORED.replace("FIRST", "").replace("ASKED", "!= 0"),
    "another value at first": RESTORED.replace("FIRST", "x = 2;").replace("ASKED", "== 2"),
    "unlocked": RESTORED.replace("pthread_mutex_lock(&m); x", "x").replace("FIRST", "").replace("ASKED", "!= 0"),
    "created with 0": CREATED_WITH.replace("FIRST", "0"),
    "created with 1": CREATED_WITH.replace("FIRST", "1"),
    "two threads": RESTORED.replace("while (__VERIFIER_nondet_bool())", "pthread_create(&h, 0, t, 0);")
    .replace("FIRST", "")
    .replace("ASKED", "!= 0"),
}  # fmt: skip


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Program]:
    known: dict[str, Program] = {}

    def program_of(name: str) -> Program:
        if name not in known:
            file = tmp_path_factory.mktemp("modular") / "main.c"
            file.write_text(HEAD + PROGRAMS[name], encoding="utf-8")
            known[name] = prepare([str(file)], PROP, FrontendOptions())
        return known[name]

    return program_of


PROOFS: dict[str, ThreadModularProof] = {}  # by the name of the program's file


def proved(program: Program) -> ThreadModularProof:
    if program.name not in PROOFS:
        result = modular.check(Task(program, PROP), Budget(300), Silent())
        assert isinstance(result, Safe)
        assert isinstance(result.proof, ThreadModularProof)
        PROOFS[program.name] = result.proof
    return PROOFS[program.name]


def is_wrong(program: Program, proof: ThreadModularProof, why: str) -> None:
    checked = check_proof(program, PROP, proof, Budget(300))
    assert isinstance(checked, Rejected)
    assert why in checked.why


@pytest.mark.parametrize(
    "name", ["safe", "created with 0", "two threads", "between", "snapshot", "two started in one letter"]
)
def test_proofs_for_any_number_of_threads_are_accepted(programs: Callable[[str], Program], name: str) -> None:
    proof = proved(programs(name))
    assert proof.many == ("t",)
    assert isinstance(check_proof(programs(name), PROP, proof, Budget(300)), Accepted)


@pytest.mark.parametrize(
    "name", ["another value at first", "unlocked", "created with 1", "the second has another argument"]
)
def test_errors_are_not_proved_away(programs: Callable[[str], Program], name: str) -> None:
    assert not isinstance(modular.check(Task(programs(name), PROP), Budget(300), Silent()), Safe)


def test_the_value_at_the_first_creation_counts(programs: Callable[[str], Program]) -> None:
    """A prototype took main for alone wherever nobody was surely running; in a loop that creates threads that is
    nowhere so, and what a variable was at first never came to what the lock protects."""
    proof = proved(programs("created with 0"))
    is_wrong(programs("created with 1"), proof, "main")


def test_each_of_several_new_threads_counts(programs: Callable[[str], Program]) -> None:
    is_wrong(programs("the second has another argument"), proved(programs("two started in one letter")), "go wrong")


def test_writes_outside_the_lock_are_interference(programs: Callable[[str], Program]) -> None:
    is_wrong(programs("unlocked"), proved(programs("safe")), "letter")


def test_threads_are_not_counted_wrongly(programs: Callable[[str], Program]) -> None:
    nothing = ThreadModularProof("", (), ("t",))
    assert isinstance(check_proof(programs("harmless"), PROP, nothing, Budget(300)), Accepted)
    is_wrong(programs("harmless"), replace(nothing, many=()), "second thread of t")
    is_wrong(programs("harmless"), replace(nothing, many=("t", "main")), "none of")


def test_labels_that_hold_nowhere(programs: Callable[[str], Program]) -> None:
    proof = proved(programs("safe"))
    false = replace(proof, labels="(assert false)", at=tuple((name, number, 0) for name, number, _ in proof.at))
    is_wrong(programs("safe"), false, "at first")
    only_threads = tuple((name, number, 0) for name, number, _ in proof.at if name == "t")
    is_wrong(programs("safe"), replace(false, at=only_threads), "elsewhere")


def test_labels_that_say_nothing(programs: Callable[[str], Program]) -> None:
    is_wrong(programs("safe"), ThreadModularProof("", (), ("t",)), "go wrong")


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("(declare-const |started t#1| Bool)\n(assert |started t#1|)", "speaks of started t#1"),
        ("(declare-const |atomic| (_ BitVec 16))\n(assert (= |atomic| (_ bv0 16)))", "speaks of atomic"),
        ("(declare-const |x+0| (_ BitVec 8))\n(assert (= |x+0| (_ bv0 8)))", "cannot be read"),
        ("(declare-const |x+0| (_ BitVec 32))\n(assert (= |x+0| (_ bv0 32)))", "elsewhere"),
    ],
)
def test_labels_about_what_is_not_theirs(programs: Callable[[str], Program], label: str, why: str) -> None:
    proof = proved(programs("safe"))
    is_wrong(programs("safe"), replace(proof, labels=label, at=(("t", 0, 0),)), why)


def test_locations_that_are_named_twice(programs: Callable[[str], Program]) -> None:
    proof = proved(programs("safe"))
    is_wrong(programs("safe"), replace(proof, at=(*proof.at, proof.at[0])), "no label, or two")


def test_without_time_nothing_is_accepted(programs: Callable[[str], Program]) -> None:
    assert isinstance(check_proof(programs("safe"), PROP, proved(programs("safe")), Budget(1e-9)), NotChecked)


def test_runs_are_held_against_labels(programs: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """If formulas said too little: the labels of a program where x is 0 at first, in runs of one where it is 2."""
    from threadproof.evidence.proofs import modular as checker

    for name in ("_check_first", "_check_letter", "_check_interference"):
        monkeypatch.setattr(checker._ModularChecker, name, lambda self, *given: None)  # pyright: ignore[reportPrivateUsage]
    is_wrong(programs("another value at first"), proved(programs("safe")), "a run of the reference semantics")


def test_runs_are_held_against_constants(programs: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """If a word were taken for a constant that is none."""
    from threadproof.encoding.transitions import any_number
    from threadproof.evidence.proofs import modular as checker

    for name in ("_check_first", "_check_letter", "_check_interference"):
        monkeypatch.setattr(checker._ModularChecker, name, lambda self, *given: None)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(any_number, "_changed", lambda *given: [])
    is_wrong(programs("safe"), ThreadModularProof("", (), ("t",)), "a run of the reference semantics")


HAND_MADE = """int lock, data;
void *t(void *a) {
  __VERIFIER_atomic_begin(); if (lock != 0) { __VERIFIER_atomic_end(); return 0; } lock = 1; __VERIFIER_atomic_end();
  data = 1; data = 0;
  RELEASED
  return 0;
}
int main(void) {
  pthread_t h;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
  __VERIFIER_atomic_begin(); if (lock != 0) { __VERIFIER_atomic_end(); return 0; } lock = 1; __VERIFIER_atomic_end();
  if (data != 0) reach_error();
}
"""


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Program]:
    known: dict[str, Program] = {}

    def program_of(released: str) -> Program:
        if released not in known:
            file = tmp_path_factory.mktemp("by_hand") / f"main{len(known)}.c"
            file.write_text(HEAD + HAND_MADE.replace("RELEASED", released), encoding="utf-8")
            known[released] = prepare([str(file)], PROP, FrontendOptions())
        return known[released]

    return program_of


AT_ITS_END = "__VERIFIER_atomic_begin(); lock = 0; __VERIFIER_atomic_end();"


def test_locks_made_by_hand_have_holders(by_hand: Callable[[str], Program]) -> None:
    proof = proved(by_hand(AT_ITS_END))
    assert proof.locks == ("lock+0",)
    assert isinstance(check_proof(by_hand(AT_ITS_END), PROP, proof, Budget(300)), Accepted)


def test_locks_that_others_free_do_not_exclude(by_hand: Callable[[str], Program]) -> None:
    """Anybody gives the lock back here: before what it protects is as it was."""
    wrong = by_hand(AT_ITS_END + " data = 1;")
    assert not isinstance(modular.check(Task(wrong, PROP), Budget(300), Silent()), Safe)
    is_wrong(wrong, proved(by_hand(AT_ITS_END)), "letter")


@pytest.mark.parametrize("locks", [("data+8",), ("lock+0", "x+0", "nothing")])
def test_holders_of_what_is_no_word(by_hand: Callable[[str], Program], locks: tuple[str, ...]) -> None:
    is_wrong(by_hand(AT_ITS_END), replace(proved(by_hand(AT_ITS_END)), locks=locks), "holders of words")


def test_holders_that_nobody_follows(by_hand: Callable[[str], Program]) -> None:
    """Then the variable is one that nothing is known of."""
    is_wrong(by_hand(AT_ITS_END), replace(proved(by_hand(AT_ITS_END)), locks=()), "does not lead")


def test_runs_are_held_against_holders(by_hand: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """If formulas said another holder: that nobody ever holds the lock."""
    from threadproof.evidence.proofs import modular as checker

    for name in ("_check_first", "_check_letter", "_check_interference"):
        monkeypatch.setattr(checker._ModularChecker, name, lambda self, *given: None)  # pyright: ignore[reportPrivateUsage]
    nobody = "(declare-const |holder lock+0| (_ BitVec 32))\n(assert (= |holder lock+0| (_ bv0 32)))"
    at = tuple((template, number, 0) for template, number, _ in proved(by_hand(AT_ITS_END)).at)
    wrong = replace(proved(by_hand(AT_ITS_END)), labels=nobody, at=at)
    is_wrong(by_hand(AT_ITS_END), wrong, "a run of the reference semantics")
