"""Verdicts from the cache: only of the same question, replayed or with their proof, and they say so."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from threadproof.cli.main import run
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.digest import digest
from threadproof.portfolio import prepare
from threadproof.portfolio import verdicts as module
from threadproof.portfolio.verdicts import Verdicts
from threadproof.toolchain.store import ContentStore

EXAMPLES = Path(__file__).parents[3] / "examples"
LOST_UPDATE, MUTEX = str(EXAMPLES / "lost_update.c"), str(EXAMPLES / "mutex.c")
STORE = ContentStore("verdicts", ".json", 0.2)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def _asked(tmp_path: Path, *words: str) -> dict[str, Any]:
    out = tmp_path / "answer.json"
    assert run(["verify", *words, "--json", str(out)]) in (0, 1)
    return json.loads(out.read_text(encoding="utf-8"))


def _entries(tmp_path: Path) -> list[Path]:
    return sorted(tmp_path.rglob("verdicts/*/*.json"))


def test_a_cached_false_is_replayed_and_a_cached_true_has_its_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = _asked(tmp_path, LOST_UPDATE, "--cache")
    again = _asked(tmp_path, LOST_UPDATE, "--cache")
    assert "cached" not in first
    assert "replayed again now" in again["cached"]
    assert "cached: found by explicit" in capsys.readouterr().out
    for part in ("verdict", "engine", "cause", "schedule", "trace"):
        assert again[part] == first[part]

    first, again = (_asked(tmp_path, MUTEX, "--cache", "--proof", str(tmp_path / f"{n}")) for n in range(2))
    assert "checked then, not again" in again["cached"]
    for part in ("verdict", "engine", "proof", "assumptions"):
        assert again[part] == first[part]
    assert (tmp_path / "0").read_text(encoding="utf-8") == (tmp_path / "1").read_text(encoding="utf-8")


def test_nobody_is_served_who_did_not_ask_for_it(tmp_path: Path) -> None:
    _asked(tmp_path, MUTEX)
    assert not _entries(tmp_path)
    _asked(tmp_path, MUTEX, "--cache")
    for word in ((), ("--no-cache",)):
        assert "cached" not in _asked(tmp_path, MUTEX, *word)


def _key(file: str, prop: Property = Property.UNREACH_CALL, engine: str = "auto", **other: Any) -> str:
    frontend = FrontendOptions(**other.pop("frontend", {}))
    return Verdicts(Task(prepare([file], prop, frontend), prop, **other), engine)._key  # pyright: ignore


def test_another_question_has_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from threadproof.core.memory_model import MemoryModel
    from threadproof.ir.reading import DataModel, Spurious

    copy = tmp_path / "program.c"
    text = Path(MUTEX).read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    file = str(copy)
    keys = [
        _key(file),
        _key(file, Property.NO_DATA_RACE),
        _key(file, engine="bmc"),
        _key(file, engine="bmc", options={"unwind": 2}),
        _key(file, seed=1),
        _key(file, memory_model=MemoryModel.TSO),
        _key(file, frontend={"data_model": DataModel.ILP32}),
        _key(file, frontend={"spurious": Spurious.OFF}),
        _key(file, frontend={"arguments": ("1",)}),
        _key(file, frontend={"defines": ("counter=another",)}),
    ]
    monkeypatch.setattr(module, "everything", lambda: "another version")
    keys.append(_key(file))
    monkeypatch.undo()
    copy.write_text(text.replace("counter == 2", "counter == 3"), encoding="utf-8")
    keys.append(_key(file))
    copy.write_text("\n" + text, encoding="utf-8")  # lines are part of what is said
    keys.append(_key(file))
    assert len(set(keys)) == len(keys)
    copy.write_text(text, encoding="utf-8")
    assert _key(file) == keys[0]


def test_what_is_taken_of_functions_without_a_body_is_in_the_key(tmp_path: Path) -> None:
    from threadproof.frontend.options import Volatile
    from threadproof.ir.reading import Taken

    file = tmp_path / "program.c"
    file.write_text(
        "int elsewhere(int *); volatile int n; int *p; int main(void) { n = 1; return elsewhere(p) + n; }",
        encoding="utf-8",
    )
    asked: list[dict[str, Any]] = [
        {},
        {"undefined": Taken.PURE},
        {"undefined": Taken.HAVOC},
        {"volatile": Volatile.ATOMIC},
    ]
    keys = {_key(str(file), frontend=one) for one in asked}
    assert len(keys) == len(asked)


def _changed(value: Any) -> Any:
    """Another value of the same kind, as near as can be."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, float):
        return struct.unpack("<d", struct.pack("<Q", struct.unpack("<Q", struct.pack("<d", value))[0] ^ 1))[0]
    if isinstance(value, int):
        return value + 1
    if isinstance(value, Enum):
        return next(one for one in type(value) if one is not value)
    return {str: lambda: value + "x", bytes: lambda: value + b"\0"}[type(value)]()


def _variants(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with one leaf changed, or a part left out, with the place of the change."""
    if is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            for place, other in _variants(getattr(value, one.name)):
                yield f"{type(value).__name__}.{one.name}{place}", replace(value, **{one.name: other})
    elif isinstance(value, dict):
        for name in value:
            yield "", {key: part for key, part in value.items() if key != name}
            for place, other in _variants(value[name]):
                yield place, {**value, name: other}
        if len(value) > 1:
            yield " order", dict(reversed(value.items()))
    elif isinstance(value, frozenset):
        yield "", value | {"another"}
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            yield "", (*value[:at], *value[at + 1 :])
            for place, other in _variants(part):
                yield place, (*value[:at], other, *value[at + 1 :])
    elif not isinstance(value, Enum) or len(type(value)) > 1:
        yield "", _changed(value)


CHANGED = """
#include <assert.h>
_Thread_local double d = 2.5; unsigned long sum; static const char text[] = "ab"; const char *at = text + 1;
int main(int argc, char **argv) { for (int i = 0; i < argc; i++) sum += i; d += sum; assert(*at == 'b'); return 0; }
"""


def test_whatever_changes_in_a_program_changes_its_digest(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(CHANGED, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    before, tried = digest(program), Counter[str]()
    for place, other in _variants(program):
        if tried[place] < 2:
            assert digest(other) != before, place
        tried[place] += 1
    assert {"Program.data_model", "Program.arenas", "Program.globalsGlobalVar.image"} <= {*tried}
    assert len(tried) > 30


def test_the_digest_does_not_depend_on_the_order_of_sets() -> None:
    asked = (
        "from threadproof.portfolio import prepare; from threadproof.core.property import Property;"
        "from threadproof.frontend import FrontendOptions; from threadproof.ir.digest import digest;"
        f"print(digest(prepare([{LOST_UPDATE!r}], Property.UNREACH_CALL, FrontendOptions())))"
    )
    here = digest(prepare([LOST_UPDATE], Property.UNREACH_CALL, FrontendOptions()))
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True).stdout
    assert said.strip() == here


def test_what_does_not_replay_or_is_damaged_is_asked_again(tmp_path: Path) -> None:
    _asked(tmp_path, LOST_UPDATE, "--cache")
    [entry] = _entries(tmp_path)
    known = json.loads(STORE.read(entry.stem) or b"")
    for schedule in ([], known["schedule"][:-1], [{"thread": [7], "choices": []}]):
        STORE.put(entry.stem, json.dumps(known | {"schedule": schedule}).encode())
        answer = _asked(tmp_path, LOST_UPDATE, "--cache")
        assert (answer["verdict"], "cached" in answer) == ("false", False)
    for content in (
        b"{}",
        b"[" * 100_000,
        b'{"engine": 1, "stats": [], "schedule": {}}',
        json.dumps(known | {"seconds": "x"}).encode(),
    ):
        STORE.put(entry.stem, content)
        assert "cached" not in _asked(tmp_path, LOST_UPDATE, "--cache")
    STORE.put(entry.stem, b"{}")
    assert "cached" not in _asked(tmp_path, LOST_UPDATE, "--cache")
    entry.write_bytes(entry.read_bytes()[:-5])
    assert "cached" not in _asked(tmp_path, LOST_UPDATE, "--cache")
    assert "cached" in _asked(tmp_path, LOST_UPDATE, "--cache")


def test_neither_unknown_nor_what_engines_failed_on_is_kept(tmp_path: Path) -> None:
    prop = Property.UNREACH_CALL
    kept = Verdicts(Task(prepare([MUTEX], prop, FrontendOptions()), prop), "auto")
    kept.keep(Answer(prop, Verdict.UNKNOWN, "bmc", reason="time"), 1.0)
    kept.keep(Answer(prop, Verdict.FALSE, "bmc", notes=("the engine dpor failed",)), 1.0)
    assert not _entries(tmp_path)
