"""A sequentialized program has the outcomes of its original, whatever the options."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
import sequential
from samples import SHAPES, data_model
from sequential import Explorer, PassedOver, compared
from sequential_combinations import Combination, Shows, accepted, asked, refused
from sequential_outcomes import read
from sequential_programs import TESTS, Case, cases, compare

from threadproof.cli.main import run
from threadproof.codegen.sequential import Choices, Options, Reduction, Sequential, sequentialize
from threadproof.ir.program import DataModel, Program

BOTH_WRITE = """#include <pthread.h>
extern void reach_error(void);
int x, y;
void *t(void *arg) {
  x++;
  y = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  x = 5;
  pthread_join(id, 0);
  if (x == 6)
    reach_error();
  return 0;
}
"""


# --- random programs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["tiny", "default", "threaded"])
@pytest.mark.parametrize("seed", range(3))
def test_outcomes_are_the_same(shape: str, seed: int) -> None:
    same(shape, seed, 1_000)


@pytest.mark.parametrize("shape", ["tiny", "threaded"])
def test_the_engine_sees_the_same(shape: str) -> None:
    same(shape, 5, 1_000, Explorer.ENGINE)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["tiny", "default", "threaded"])
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_outcomes_are_the_same_at_length(shape: str, seed: int) -> None:
    same(shape, seed, 3_000)


def same(shape: str, seed: int, limit: int, explorer: Explorer = Explorer.DIRECT) -> None:
    source = SHAPES[shape](seed)
    try:
        found = compared(source, data_model(seed), limit, explorer=explorer)
    except PassedOver as reason:
        pytest.skip(str(reason))
    assert not found.differences, source


# --- programs of the suite -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_programs_have_the_same_outcomes(case: Case) -> None:
    same_program(case)


NUMBERS_OF_ADDRESSES = ("regressions/address-from-bits",)  # their ends hold addresses, which the text has others of


def same_program(case: Case) -> None:
    if case.name in NUMBERS_OF_ADDRESSES:
        pytest.skip("its ends hold an address")
    try:
        found = compare(case, 1_000)
    except PassedOver as reason:
        pytest.skip(str(reason))
    assert not found.differences


def test_wide_constants_are_literals_that_c_has(tmp_path: Path) -> None:
    source = (TESTS / "programs" / "language" / "wide-arithmetic" / "main.c").read_text(encoding="utf-8")
    program = read(tmp_path / "main.c", source, DataModel.LP64)
    text = sequentialize(program, Options()).text
    assert "main" in read(tmp_path / "text.c", text, DataModel.LP64).functions


# --- combinations ----------------------------------------------------------------------------------------------------


def test_each_combination_is_compared_or_refused() -> None:
    many, ways, few = list(asked()), accepted(), refused()
    assert len(many) == len(ways) + sum(len(each) for each in few.values())
    assert {way.options.reduction for way in ways if way.shows is Shows.ALL} == set(Reduction)
    for field in fields(Options):
        assert len({getattr(way.options, field.name) for way in ways}) > 1 or field.name in ("threads", "depth")


@pytest.mark.parametrize("told", refused())
def test_a_refusal_says_what_does_not_go_together(
    told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "main.c"
    file.write_text(BOTH_WRITE, encoding="utf-8")
    flags = {"reduction": "--reduction", "staying": "--stay", "rounds": "--rounds"}
    for options in refused()[told][:2]:
        words = [word for name, flag in flags.items() if options[name] for word in (flag, _word(options[name]))]
        words += ["--random"] if options["choices"] is Choices.RANDOM else []
        assert run(["sequentialize", str(file), *words]) == 3
        assert told in capsys.readouterr().err


def _word(value: object) -> str:
    return str(getattr(value, "value", value))


# --- planted faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("y = 1;  //", "y = 2;  //", "an end that is none"),
        ("y = 1;  //", "y = 1 / (y & 0);  //", "undefined: a division"),
        ("y = 1;  //", "*(int *)0 = 1;  //", "undefined: an access"),
        ("y = 1;  //", "reach_error();  //", "error in line 6, which is none"),
        ("        reach_error();", "        ;", "no error in line 15"),
        ("        pc[1] = 2;\n        continue;\n", "", "an end that is missing"),
    ],
)
def test_a_wrong_text_shows(old: str, new: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine has other words for what is undefined."""
    for explorer in Explorer:
        found = planted(old, new, Options(Reduction.LOCAL), monkeypatch, explorer)
        assert any(told.split(": ")[0] in each for each in found), (explorer, found)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("y = 1;  //", "y = 2;  //", "an end that is none"),
        ("y = 1;  //", "reach_error();  //", "error in line 6, which is none"),
    ],
)
def test_a_wrong_run_shows(old: str, new: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = planted(old, new, Options(Reduction.LOCAL, choices=Choices.RANDOM), monkeypatch)
    assert any(told in each for each in found), found


def planted(
    old: str, new: str, options: Options, monkeypatch: pytest.MonkeyPatch, explorer: Explorer = Explorer.DIRECT
) -> list[str]:
    def wrong(program: Program, asked: Options) -> Sequential:
        right = sequentialize(program, asked)
        head, begins, tail = right.text.partition("int main(void) {")
        assert old in tail, right.text
        return replace(right, text=head + begins + tail.replace(old, new, 1))

    monkeypatch.setattr(sequential, "sequentialize", wrong)
    asked = [Combination(options, Shows.ALL)]
    return compared(BOTH_WRITE, DataModel.LP64, 1_000, asked, explorer=explorer).differences
