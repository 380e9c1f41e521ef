"""The first look: what it decides, what it leaves to others, and that nobody waits for it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Task
from threadproof.frontend.options import FrontendOptions
from threadproof.portfolio import VerifyOptions, verify
from threadproof.portfolio import glance as looks
from threadproof.portfolio.plan import plan
from threadproof.portfolio.prepare import prepare

COUNTER = """
#include <assert.h>
#include <pthread.h>
int n;
void *f(void *a) { n = n + 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  n = n + 1;
  pthread_join(t, 0);
  assert(n == %d);
}
"""
BUFFERED = """
#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *f(void *u) { x = 1; a = y; return 0; }
void *g(void *u) { y = 1; b = x; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
}
"""
ATOMIC = """
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int main(void) {
  __VERIFIER_atomic_begin();
  for (volatile int i = 0; i < 100000000; i++) {}
  __VERIFIER_atomic_end();
}
"""
UNDEFINED = "extern int f(void); int main(void) { return f(); }"


def look(text: str, folder: Path, engine: str = "auto", prop: Property = Property.UNREACH_CALL) -> Answer | None:
    file = folder / "a.c"
    file.write_text(text)
    program = prepare([str(file)], prop, FrontendOptions())
    return looks.glance(Task(program, prop), plan(engine, prop, MemoryModel.SC, program), Budget(30))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("int main(void) { return 0; }", Verdict.TRUE), (COUNTER % 2, Verdict.FALSE), (COUNTER % 1, Verdict.FALSE)],
)
def test_small_programs_are_decided(
    text: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks, "PATIENCE_S", 5.0)
    found = look(text, tmp_path)
    assert found is not None
    assert (found.verdict, found.engine) == (verdict, "explicit")
    assert (found.trace is not None) == (verdict is Verdict.FALSE)


@pytest.mark.parametrize(("model", "verdict"), [("sc", Verdict.TRUE), ("tso", Verdict.FALSE), ("pso", Verdict.FALSE)])
def test_it_knows_no_other_order_of_memory_than_its_own(tmp_path: Path, model: str, verdict: Verdict) -> None:
    """Store buffering: a first look that searched under sequential consistency whatever was asked would say true."""
    file = tmp_path / "main.c"
    file.write_text(BUFFERED, encoding="utf-8")
    options = VerifyOptions(memory_model=MemoryModel(model), timeout=120.0)
    [answer] = verify([str(file)], [Property.UNREACH_CALL], options, Silent())
    assert answer.verdict is verdict


def test_who_asks_for_another_engine_gets_it(tmp_path: Path) -> None:
    assert look("int main(void) { return 0; }", tmp_path, "bmc") is None


def test_proofs_that_say_more_are_left_to_their_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "PATIENCE_S", 5.0)
    assert look("int main(void) { return 0; }", tmp_path, prop=Property.NO_DATA_RACE) is None
    race = look(COUNTER % 2, tmp_path, prop=Property.NO_DATA_RACE)
    assert race is not None
    assert race.verdict is Verdict.FALSE


def test_what_has_no_meaning_is_left_to_the_engines(tmp_path: Path) -> None:
    assert look(UNDEFINED, tmp_path) is None


def test_nobody_waits_for_one_long_step(tmp_path: Path) -> None:
    began = time.process_time()
    assert look(ATOMIC, tmp_path) is None
    assert time.process_time() - began < 3


def test_large_programs_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "LARGEST", 1)
    assert look(COUNTER % 2, tmp_path) is None


def test_no_library_is_imported_for_a_first_look() -> None:
    """Each takes longer than the look itself."""
    heavy = ("numpy", "scipy", "z3", "bitwuzla", "rich", "lark", "llvmlite", "importlib.metadata")
    code = "import sys, threadproof.cli.verify, threadproof.portfolio.asking, threadproof.frontend.loading\n"
    code += f"print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
