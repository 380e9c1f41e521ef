"""The engine dpor beside its reductions: what it tells while it runs, how it goes on with a better machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown, Unsafe
from threadproof.engines.dpor import search as engine
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import Settings
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

ADDITIONS = """
#include <pthread.h>
int i = 1, j = 1;
void *one(void *arg) { for (int k = 0; k < 3; k++) i += j; return 0; }
void *two(void *arg) { for (int k = 0; k < 3; k++) j += i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""


def task(text: str, folder: Path, prop: Property = Property.UNREACH_CALL) -> Task:
    file = folder / "program.c"
    file.write_text(text)
    return Task(prepare([str(file)], prop, FrontendOptions()), prop)


class Told:
    def __init__(self) -> None:
        self.figures: list[dict[str, float]] = []

    def progress(self, what: str, **figures: float) -> None:
        self.figures.append(figures)


def test_what_it_tells_while_it_runs(tmp_path: Path) -> None:
    told = Told()
    search = StatelessSearch(task(ADDITIONS, tmp_path), Settings(slice=50), Budget(), told)
    assert isinstance(search.run(), Safe)
    search.close()
    assert set(told.figures[-1]) == {"executions", "blocked", "redundant", "percent_done"}
    shares = [figures["percent_done"] for figures in told.figures]
    assert 0 < shares[len(shares) // 2] < shares[-1] < 100


class CompiledAtOnce:
    def __init__(self, text: str, effort: CompilerEffort) -> None:
        library(text, effort)

    def is_ready(self) -> bool:
        return True

    def stop(self) -> None:
        pass


def test_it_goes_on_with_an_optimised_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = task(ADDITIONS, tmp_path)
    plain = StatelessSearch(asked, Settings(), Budget(), Silent())
    assert isinstance(plain.run(), Safe)
    monkeypatch.setattr("threadproof.codegen.runs.background.OPTIMISE_S", 0.0)
    monkeypatch.setattr("threadproof.codegen.runs.background.Compilation", CompiledAtOnce)
    better = StatelessSearch(asked, Settings(slice=50), Budget(), Silent())
    assert isinstance(better.run(), Safe)
    assert (plain.kernel.machine.effort, better.kernel.machine.effort) == (CompilerEffort.NONE, CompilerEffort.FULL)
    assert better.stats() == plain.stats()
    plain.close()
    better.close()


# Each thread moves the number on twice, in turns: three times a thread is left that could go on.
TURNS = """
#include <pthread.h>
extern void reach_error(void);
int s;
void *one(void *arg) { if (s == 0) s = 1; if (s == 2) s = 3; if (s == 4) reach_error(); return 0; }
void *two(void *arg) { if (s == 1) s = 2; if (s == 3) s = 4; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""


@pytest.mark.parametrize("preemptions", range(5))
def test_a_bound_on_preemptions(tmp_path: Path, preemptions: int) -> None:
    asked = replace(task(TURNS, tmp_path), options={"preemptions": preemptions})
    result = engine.check(asked, Budget(), Silent())
    assert isinstance(result, Unknown if preemptions < 3 else Unsafe)
    if isinstance(result, Unknown):
        assert result.reason == f"no violation with at most {preemptions} preemptions; more were not tried"


def test_a_bound_never_proves_and_takes_no_reduction(tmp_path: Path) -> None:
    asked = task(ADDITIONS, tmp_path)
    assert isinstance(engine.check(replace(asked, options={"preemptions": 100}), Budget(), Silent()), Unknown)
    for reduction in ("sleep", "source", "optimal"):
        with pytest.raises(InputError, match="--preemptions goes with --reduction none"):
            engine.check(replace(asked, options={"preemptions": 1, "reduction": reduction}), Budget(), Silent())
