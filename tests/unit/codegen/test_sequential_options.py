"""The command and its options: what is written, and what is refused together."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.cli.main import run
from threadproof.codegen.sequential import Options, Reduction, Refused, Staying

SOURCE = """
#include <pthread.h>
extern void reach_error(void);
int x;
void *t(void *arg) { x++; return arg; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  pthread_join(id, 0);
  if (x != 1) reach_error();
  return 0;
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "main.c"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("reduction", ["none", "local", "conflict", "full"])
def test_a_file_is_written(file: str, tmp_path: Path, reduction: str) -> None:
    out = tmp_path / "out.c"
    assert run(["sequentialize", file, "-o", str(out), "--reduction", reduction]) == 0
    text = out.read_text(encoding="utf-8")
    assert "next_thread = __VERIFIER_nondet_int()" in text
    assert "pthread_create" not in text.replace("// 8: pthread_create", "")


@pytest.mark.parametrize(
    ("rounds", "reduction", "staying"),
    [
        (2, Reduction.CONFLICT, Staying.GOTO),
        (2, Reduction.FULL, Staying.GOTO),
        (2, Reduction.LOCAL, Staying.ASSUME),
        (None, Reduction.NONE, Staying.ASSUME),
        (None, Reduction.FULL, Staying.ASSUME),
    ],
)
def test_unsound_combinations_are_refused(rounds: int | None, reduction: Reduction, staying: Staying) -> None:
    with pytest.raises(Refused):
        Options(reduction, staying, rounds=rounds)


def test_the_command_says_why(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sequentialize", file, "--rounds", "2"]) == 3
    assert "may need more rounds" in capsys.readouterr().err
