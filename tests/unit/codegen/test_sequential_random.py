"""A sequentialized program with random choices runs natively, and its runs are runs of the original."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof.codegen.sequential import Choices, Options, Reduction, Refused, sequentialize
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

SOURCE = """
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t m;
int x, wrong;
void *t(void *arg) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *u(void *arg) {
  __VERIFIER_atomic_begin();
  x++; x--;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0);
  pthread_create(&b, 0, u, 0);
  pthread_mutex_lock(&m);
  x *= 2;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == EXPECTED) reach_error();
  return 0;
}
"""


def outcomes(folder: Path, expected: int, reduction: Reduction) -> set[int]:
    """How 40 runs end: 0, or the signal of a failed assertion."""
    source, text, program = folder / "main.c", folder / "random.c", folder / "random"
    source.write_text(SOURCE.replace("EXPECTED", str(expected)), encoding="utf-8")
    read = prepare([str(source)], Property.UNREACH_CALL, FrontendOptions())
    text.write_text(sequentialize(read, Options(reduction, choices=Choices.RANDOM)).text, encoding="utf-8")
    subprocess.run(["gcc", "-Wall", "-Werror", str(text), "-o", str(program)], check=True)
    runs = [
        subprocess.run([str(program)], env={**os.environ, "SEED": str(seed)}, capture_output=True, check=False)
        for seed in range(40)
    ]
    return {run.returncode for run in runs}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("reduction", [Reduction.NONE, Reduction.LOCAL, Reduction.FULL])
def test_runs(tmp_path: Path, reduction: Reduction) -> None:
    assert outcomes(tmp_path, 2, reduction) == {0, -6}  # both orders of the critical sections
    assert outcomes(tmp_path, 3, reduction) == {0}


def test_random_rounds_are_refused() -> None:
    with pytest.raises(Refused):
        Options(Reduction.LOCAL, rounds=2, choices=Choices.RANDOM)


def test_names_of_the_generator_are_taken(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int again, tries; int main(void) { again++; tries = again; return 0; }", encoding="utf-8")
    read = prepare([str(source)], Property.UNREACH_CALL, FrontendOptions())
    text = sequentialize(read, Options(choices=Choices.RANDOM)).text
    assert "static int again_2;" in text
    assert "static int tries_2;" in text
