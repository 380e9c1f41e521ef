"""What an `unknown` because of undefined behaviour shows; several properties at once; options that change the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from threadproof.cli.main import run

UNDEFINED = """
#include <pthread.h>
int x, *p;
void *t(void *a) { p = &x; return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  int v = *p;
  pthread_join(h, 0);
  return v;
}
"""
VOLATILE = """
#include <pthread.h>
#include <unistd.h>
volatile int go;
_Atomic char c;
void *t(void *a) { go = 1; c = 1; return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  if (go) PRINT;
  pthread_join(h, 0);
  return 0;
}
"""
WAITS = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go;
void *t(void *a) { pthread_mutex_lock(&m); go = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  assert(go);
  pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  return 0;
}
"""


def file(folder: Path, text: str) -> str:
    path = folder / "main.c"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("engine", ["explicit", "dpor", "bmc"])
def test_the_way_to_undefined_behaviour_is_shown_and_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    program, trace = file(tmp_path, UNDEFINED), tmp_path / "trace.json"
    assert run(["verify", program, "--engine", engine, "--json", str(trace)]) == 2
    shown = capsys.readouterr().out
    assert "undefined behaviour: null dereference" in shown.splitlines()[0]
    assert "reads p = NULL" in shown
    assert "-p valid-memsafety asks about it" in shown
    written = json.loads(trace.read_text(encoding="utf-8"))
    assert (written["verdict"], written["location"]["line"]) == ("unknown", 8)
    assert written["trace"][-1]["events"][-1]["kind"] == "end"
    assert run(["replay", str(trace), program]) == 2
    again = capsys.readouterr().out
    assert again.startswith("unreach-call: unknown")
    assert "reads p = NULL" in again


def test_all_properties_end_with_a_table_and_the_worst_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", file(tmp_path, UNDEFINED), "-p", "all", "--engine", "explicit"]) == 1
    table = [line.split()[:2] for line in capsys.readouterr().out.rstrip().splitlines()[-6:]]
    assert table == [
        ["unreach-call", "unknown"],
        ["no-data-race", "false"],
        ["no-deadlock", "unknown"],
        ["no-overflow", "unknown"],
        ["valid-memsafety", "false"],
        ["valid-memcleanup", "unknown"],
    ]


@pytest.mark.parametrize(
    ("statement", "options", "code"),
    [
        ("c = 2", [], 1),
        ("c = 2", ["--volatile", "atomic"], 0),
        ("write(1, (char *)&c, 1)", ["--volatile", "atomic"], 1),
    ],
    ids=["plain", "atomic", "library"],
)
def test_volatile_may_count_as_atomic(tmp_path: Path, statement: str, options: list[str], code: int) -> None:
    program = file(tmp_path, VOLATILE.replace("PRINT", statement))
    assert run(["verify", program, "-p", "no-data-race", "--engine", "explicit", *options]) == code


@pytest.mark.parametrize(
    ("engine", "codes"),  # unreach-call with and without, then no-deadlock without and with spurious wake-ups
    [("explicit", "1010"), ("dpor", "1010"), ("bmc", "12"), ("random", "1-1")],
)
def test_waits_may_end_by_themselves_or_not(tmp_path: Path, engine: str, codes: str) -> None:
    program = file(tmp_path, WAITS)
    asked = [("unreach-call", "on"), ("unreach-call", "off"), ("no-deadlock", "off"), ("no-deadlock", "on")]
    for (prop, spurious), code in zip(asked, codes, strict=False):
        if code != "-":  # random testing would take all the time there is
            assert run(["verify", program, "-p", prop, "--engine", engine, "--spurious", spurious]) == int(code)
