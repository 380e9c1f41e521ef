"""The thesis's examples as sequentialized programs: exactly these texts, which compile without warnings.

To write them again after a change that is meant:
`threadproof sequentialize figure_4_4.c --reduction local > figure_4_4.local.c`, in this folder.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof.codegen.sequential import Options, Reduction, sequentialize
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

HERE = Path(__file__).parent
GOLDEN = sorted(path.name for path in HERE.glob("figure_*.*.c"))


@pytest.mark.parametrize("name", GOLDEN)
def test_figure(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    figure, reduction, _ = name.split(".")
    monkeypatch.chdir(HERE)
    program = prepare([f"{figure}.c"], Property.UNREACH_CALL, FrontendOptions())
    text = sequentialize(program, Options(Reduction(reduction))).text
    assert text == (HERE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", GOLDEN)
def test_figure_compiles_without_warnings(name: str, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, "-Wall", "-Werror", "-fsyntax-only", str(HERE / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_figures() -> None:
    assert {name.split(".")[0] for name in GOLDEN} == {"figure_2_1", "figure_4_2", "figure_4_4"}
