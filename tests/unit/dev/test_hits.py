"""The table of known errors that random testing hits: rows, families, what counts, the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.dev import hits

LOST_UPDATE = """
#include <pthread.h>
#include <assert.h>
int x;
void *add(void *arg) { int seen = x; x = seen + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
"""
FINE = "int main(void) { return 0; }"
HEADER = "id,source,path,property,expected,data_model,loc,uses\n"


def corpus(folder: Path, *rows: tuple[str, str, str]) -> Path:
    """Rows of path, source text and expected verdict."""
    lines = [HEADER]
    for path, text, expected in rows:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        lines.append(f"{path}#unreach-call,some,{path},unreach-call,{expected},LP64,1,\n")
        lines.append(f"{path}#no-data-race,some,{path},no-data-race,true,LP64,1,\n")
    (folder / "INDEX.csv").write_text("".join(lines), encoding="utf-8")
    return folder


def test_rows_are_those_of_one_property_and_pattern(tmp_path: Path) -> None:
    where = corpus(tmp_path, ("a/x.c", FINE, "true"), ("a/y/main.c", FINE, "false"))
    assert [row.family for row in hits.rows_of(where, "*", "both")] == ["some/a", "some/a"]
    assert [row.name for row in hits.rows_of(where, "*x.c", "both")] == ["a/x.c"]
    assert [row.name for row in hits.rows_of(where, "*", "false")] == ["a/y/main.c"]


def test_a_known_error_is_hit_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = corpus(tmp_path, ("a/bad.c", LOST_UPDATE, "false"), ("a/fine.c", FINE, "true"))
    file = tmp_path / "out.csv"
    assert hits.main([str(where), "--seconds", "4", "--jobs", "1", "--csv", str(file)]) == 0
    words = capsys.readouterr().out.splitlines()[-1].split()
    assert words[:6] == ["all", "1", "1", "1", "1", "1"]
    assert words[7:] == ["1", "0"]
    assert file.read_text(encoding="utf-8").splitlines()[1].startswith("a/bad.c,some/a,false,")


def test_an_error_in_a_task_expected_true_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = corpus(tmp_path, ("a/bad.c", LOST_UPDATE, "true"))
    assert hits.main([str(where), "--seconds", "4", "--jobs", "1", "--schedulers", "pct"]) == 1
    assert capsys.readouterr().out.startswith("HIT: a/bad.c")


def test_wrong_input_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hits.main([str(tmp_path)]) == 3
    assert hits.main([str(corpus(tmp_path)), "--schedulers", "lottery"]) == 3
    assert "lottery" in capsys.readouterr().err
