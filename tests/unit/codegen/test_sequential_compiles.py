"""Every text compiles without warnings, with gcc and with clang, whatever the options and the names in the program."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from threadproof.codegen.sequential import Choices, Options, Reduction, Refused, SelfChecks, Staying, sequentialize
from threadproof.core.property import Property
from threadproof.dev.compilers import complaint, installed
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program
from threadproof.portfolio.prepare import prepare

PROGRAMS = Path(__file__).parents[2] / "programs"
CASES = sorted(PROGRAMS.glob("*/*/main.c"))
_OWN = """
  conflict running check beyond THREADS FINISHED NOT_CREATED KEYS keys specific detached may_read may_read_0 mutex_lock
  in_atomic again random_bits persistent_set thread_join DEPTH results unlock lock_again u8 step_reads step_writes ALL
  tries fresh ANYTHING as_float64 uncancellable T0_created_t r w thread reads writes release pc movers least can_move
  p0 r0 w0 x0 b0 b1 end0 MEETS waits_for may_wait
"""
OWN_NAMES = _OWN.split()
NAMES = f"""
#include <pthread.h>
extern void reach_error(void);
int {", ".join(OWN_NAMES)};
pthread_mutex_t m0, m1;
void *t(void *arg) {{
  pthread_mutex_lock(&m1);
  {" ".join(f"{name}++;" for name in OWN_NAMES)}
  pthread_mutex_unlock(&m1);
  return 0;
}}
int main(void) {{
  pthread_t id[2];
  for (int i = 0; i < 2; i++) pthread_create(&id[i], 0, t, 0);
  for (int i = 0; i < 2; i++) pthread_join(id[i], 0);
  if (r != 2) reach_error();
  return 0;
}}
"""

NO_C = """
void give(long double x, int *p) { if (x > 1) *p = 1; }
void fails(long double x) { give(x + x, 0); }
int main(void) {
  volatile long double one = 1;
  int behind;
  WAY
  return behind == 6;
}
"""


def combinations() -> list[Options]:
    found: list[Options] = []
    for reduction, staying, rounds, checks, choices in product(Reduction, Staying, (None, 2), SelfChecks, Choices):
        try:
            found.append(Options(reduction, staying, rounds=rounds, checks=checks, choices=choices))
        except Refused:
            continue
    return found


def read(path: Path, model: DataModel = DataModel.LP64) -> Program:
    return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions(data_model=model))


def complaints(program: Program, options: Options, *flags: str) -> list[str]:
    text = sequentialize(program, options).text
    return [said for compiler in installed() if (said := complaint(text, program.data_model, compiler, *flags))]


@pytest.mark.parametrize("options", combinations(), ids=str)
def test_whatever_the_options(options: Options) -> None:
    assert not complaints(read(PROGRAMS / "sync" / "mutex-array-bad" / "main.c"), options)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_whatever_the_program(path: Path) -> None:
    program = read(path)
    for options in (Options(), Options(Reduction.NONE, checks=SelfChecks.ON), Options(choices=Choices.RANDOM)):
        assert not complaints(program, options)


@pytest.mark.parametrize("model", list(DataModel))
def test_whatever_the_names(tmp_path: Path, model: DataModel) -> None:
    """A name of the text that hides one of the program would be worse than an error."""
    path = tmp_path / "main.c"
    path.write_text(NAMES, encoding="utf-8")
    assert not complaints(read(path, model), Options(), "-Wshadow")
    assert not complaints(read(path, model), Options(choices=Choices.RANDOM, checks=SelfChecks.ON), "-Wshadow")


def test_a_local_that_nothing_has_written(tmp_path: Path) -> None:
    """Its content is arbitrary; the text says so instead of reading a variable of its own that nothing has set."""
    path = tmp_path / "main.c"
    path.write_text("int main(void) { int *p; volatile int x; if (x) *p = 1; return *p; }", encoding="utf-8")
    program = read(path)
    for options in (Options(), Options(Reduction.NONE, checks=SelfChecks.ON)):
        assert not complaints(program, options)


@pytest.mark.parametrize("way", ["give(one + one, &behind);", "fails(one); give(one, &behind);"])
def test_behind_what_has_no_c(tmp_path: Path, way: str) -> None:
    """Nothing is written there, also behind a call that comes to such a place: it would read what nothing sets."""
    path = tmp_path / "main.c"
    path.write_text(NO_C.replace("WAY", way), encoding="utf-8")
    program = read(path)
    for options in (Options(), Options(Reduction.NONE, checks=SelfChecks.ON)):
        assert not complaints(program, options)
        assert "T0_behind" not in sequentialize(program, options).text
