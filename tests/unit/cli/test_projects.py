"""What a project has: compile lines, a compilation database, folders, settings; and what editors want."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from threadproof.cli.compile_lines import as_ours
from threadproof.cli.main import run
from threadproof.core.errors import InputError
from threadproof.report.terminal import reasons

MAIN = "#include <assert.h>\nint half(int);\nint main(void) { assert(half(TWICE) == 4); return 0; }\n"
HALF = "int half(int n) { return n / 2; }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "main.c").write_text(MAIN, encoding="utf-8")
    (tmp_path / "app" / "half.c").write_text(HALF, encoding="utf-8")
    (tmp_path / "app" / "all.h").write_text("#define TWICE 8\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("gcc -pthread -Wall -Wextra -O2 -g3 -c a.c -o a.o -lm", "a.c"),
        ("a.c -fPIC -MMD -MF a.d -isystem inc -DX=1 -std=c11", "a.c -I inc -DX=1 -std=c11"),
        ("cc -m32 -include all.h a.c --full --seed 3", "--data-model ILP32 --include all.h a.c --full --seed 3"),
        ("a.c --report . --timeout 3", "a.c --report . --timeout 3"),
    ],
)
def test_compile_lines_can_be_pasted(line: str, ours: str) -> None:
    assert as_ours(line.split()) == ours.split()


def test_a_database_is_one_program(project: Path) -> None:
    entries = [
        {"directory": str(project / "app"), "file": "main.c", "command": "cc -O2 -Iinc -DTWICE=8 -c main.c -o main.o"},
        {"directory": str(project / "app"), "file": "half.c", "arguments": ["cc", "-c", "half.c", "-include", "all.h"]},
    ]
    (project / "app" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    files = [os.path.join("app", name) for name in ("main.c", "half.c")]
    header = os.path.join("app", "all.h")
    assert as_ours(["app"]) == [*files, "-I", os.path.join("app", "inc"), "-D", "TWICE=8", "--include", header]
    entries[1]["arguments"] = ["cc", "-DTWICE=9"]
    (project / "app" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    with pytest.raises(InputError, match=r"-DTWICE=8, half\.c with -DTWICE=9"):
        as_ours([os.path.join("app", "compile_commands.json")])


def test_a_folder_with_settings_to_the_verdict(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "threadproof.toml").write_text('[verify]\ntimeout = 60\nengine = "explicit"\nD = ["TWICE=8"]\n')
    assert run(["verify", "app", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["verdict"] for one in data["results"]] == ["true"]
    assert data["engine"] == "explicit"
    assert "--timeout 60" in data["inputs"]["command"][0]
    assert "-DTWICE=8" in data["inputs"]["command"][0]
    (project / "threadproof.toml").write_text("[verify]\ntimeuot = 60\n")
    assert run(["verify", "app"]) == 3
    assert "threadproof.toml: verify has no option 'timeuot'" in capsys.readouterr().err


def test_progress_as_json_lines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "app", "-include", "app/all.h", "--engine", "explicit", "--json-lines"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines][-1] == "answer"
    assert lines[0] == {"event": "progress", "what": "reading the program", "seconds": lines[0]["seconds"]}
    assert lines[-1]["verdict"] == "true"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_THREADPROOF_COMPLETE" in capsys.readouterr().out


def test_reasons_stand_one_to_a_line_and_once() -> None:
    assert reasons("bmc: time; dpor: time: 3 runs; bmc: time") == ["bmc: timeout", "dpor: timeout: 3 runs"]
    assert reasons("time: the limit was reached") == ["timeout: the limit was reached"]
