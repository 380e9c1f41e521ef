"""`verify --proof` and `check-proof`: what was written is accepted, what was changed is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from threadproof.cli.main import run

PROGRAM = """#include <pthread.h>
extern void reach_error(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *inc(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, inc, 0);
  inc(0);
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
}
"""
KINDS = [
    ("unreach-call", "explicit"),
    ("unreach-call", "bmc"),
    ("unreach-call", "impact"),
    ("unreach-call", "trace"),
    ("no-data-race", "races"),
    ("no-deadlock", "deadlocks"),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proofs")
    (path / "a.c").write_text(PROGRAM, encoding="utf-8")
    (path / "wrong.c").write_text(PROGRAM.replace("x != 2", "x == 2"), encoding="utf-8")
    return path


def written(folder: Path, prop: str, engine: str) -> Path:
    file = folder / f"{prop}-{engine}.json"
    if not file.exists():
        given = ["-p", prop, "--engine", engine, "--undefined", "pure", "--proof", str(file)]
        assert run(["verify", str(folder / "a.c"), *given]) == 0
    return file


@pytest.mark.parametrize(("prop", "engine"), KINDS)
def test_what_was_written_is_accepted(prop: str, engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(folder, prop, engine)
    capsys.readouterr()
    assert run(["check-proof", str(file), str(folder / "a.c")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"{prop}: accepted (")
    assert "trusted: " in said[0]


def test_for_other_files_it_is_rejected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(folder, "unreach-call", "impact")
    assert run(["check-proof", str(file), str(folder / "wrong.c")]) == 1
    assert "not about these files" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["explicit", "bmc", "impact", "trace"])
def test_for_a_wrong_program_no_proof_is_accepted(engine: str, folder: Path) -> None:
    data = json.loads(written(folder, "unreach-call", engine).read_text(encoding="utf-8"))
    import hashlib

    data["files"][0]["sha256"] = hashlib.sha256((folder / "wrong.c").read_bytes()).hexdigest()
    file = folder / f"moved-{engine}.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert run(["check-proof", str(file), str(folder / "wrong.c"), "--timeout", "60"]) in (1, 2)


RARE = """#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *inc(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, inc, 0);
  int v = __VERIFIER_nondet_int();
  if (v > 99999 && v < 100099 && v % 7 == 3) { reach_error(); }
  return 0;
}
"""


@pytest.mark.parametrize("swap", [("property", "unreach-call"), ("memory_model", "tso")])
def test_for_another_property_or_memory_model_it_is_not_accepted(
    swap: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The order of locks says nothing of reach_error, which random runs hardly ever call here."""
    source, file = tmp_path / "rare.c", tmp_path / "proof.json"
    source.write_text(RARE, encoding="utf-8")
    given = ["-p", "no-deadlock", "--engine", "deadlocks", "--undefined", "pure", "--proof", str(file)]
    assert run(["verify", str(source), *given]) == 0
    data = json.loads(file.read_text(encoding="utf-8"))
    data[swap[0]] = swap[1]
    file.write_text(json.dumps(data), encoding="utf-8")
    capsys.readouterr()
    assert run(["check-proof", str(file), str(source)]) == 2
    assert "is about no-deadlock under sc" in capsys.readouterr().out


def test_it_says_how_the_proof_wants_the_files_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a macro it may be about a harmless program."""
    source, header, file = tmp_path / "a.c", tmp_path / "first.h", tmp_path / "proof.json"
    header.write_text("#define LEAST 2\n", encoding="utf-8")
    source.write_text(PROGRAM.replace("x != 2", "x != LEAST + MORE"), encoding="utf-8")
    given = ["-D", "MORE=0", "--include", str(header), "--engine", "explicit", "--undefined", "pure"]
    assert run(["verify", str(source), *given, "--proof", str(file)]) == 0
    capsys.readouterr()
    assert run(["check-proof", str(file), str(source)]) == 0
    said = capsys.readouterr().out
    assert f"assuming the files are read with -D MORE=0 --include {header}; sequential consistency" in said
    assert len(said.splitlines()) == 1


def changed(data: dict[str, Any], change: str) -> None:
    proof = data["proof"]
    match change:
        case "a field too many":
            proof["more"] = 1
        case "a field is missing":
            del proof["nodes"]
        case "another type":
            proof["nodes"][0]["label"] = "0"
        case "another kind":
            proof["kind"] = "ReducedProduct"
        case "no label":
            proof["nodes"][-1]["label"] = 9999
        case "labels that are no text":
            proof["labels"] = "(assert"
        case "a node less":
            del proof["nodes"][-1]
        case "store buffers where there are none":
            proof["slots"] = 1
        case "formulas that are none":
            data["formulas"] = None
        case _:
            data["formulas"] = ["(check-sat)"]


@pytest.mark.parametrize(
    "change",
    [
        "a field too many",
        "a field is missing",
        "another type",
        "another kind",
        "no label",
        "labels that are no text",
        "a node less",
        "store buffers where there are none",
        "formulas that are none",
        "formulas",
    ],
)
def test_changed_files_are_rejected(change: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(written(folder, "unreach-call", "impact").read_text(encoding="utf-8"))
    changed(data, change)
    file = folder / "changed.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    capsys.readouterr()
    assert run(["check-proof", str(file), str(folder / "a.c")]) == 1
    assert "rejected: " in capsys.readouterr().out


def test_changed_formulas_are_rejected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(written(folder, "unreach-call", "bmc").read_text(encoding="utf-8"))
    data["formulas"][0] = "(set-logic ALL)\n(assert false)\n(check-sat)\n"
    file = folder / "formula.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert run(["check-proof", str(file), str(folder / "a.c")]) == 1
    assert "not those of the sources" in capsys.readouterr().out


def test_an_unwinding_of_another_memory_model_is_rejected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(written(folder, "unreach-call", "bmc").read_text(encoding="utf-8"))
    data["proof"]["memory_model"] = "pso"
    file = folder / "model.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert run(["check-proof", str(file), str(folder / "a.c")]) == 1
    assert "about executions under pso, not sc" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "threadproof-proof"}', "\x00"])
def test_what_is_no_proof_is_three(text: str, folder: Path) -> None:
    file = folder / "none.json"
    file.write_text(text, encoding="utf-8")
    assert run(["check-proof", str(file), str(folder / "a.c")]) == 3
