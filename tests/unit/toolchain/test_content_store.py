"""Stores by content: whole or not there, whoever was killed; bounded; what is used stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from threadproof.toolchain.cache import cache_folder, nothing_from_before
from threadproof.toolchain.fingerprint import everything, own_files
from threadproof.toolchain.store import LIMIT_VARIABLE, ContentStore

STORE = ContentStore("things", ".x", 1.0)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_what_was_put_is_read_and_what_is_damaged_is_not() -> None:
    assert STORE.read("a1") is None
    path = STORE.put("a1", b"content")
    assert (STORE.read("a1"), STORE.find("a1")) == (b"content", path)
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:3] + b"?" + whole[4:], whole + b"more"):
        path.write_bytes(damaged)
        assert STORE.read("a1") is None
        assert STORE.find("a1") is None
    STORE.put("a1", b"again")
    assert STORE.read("a1") == b"again"
    STORE.drop("a1")
    assert STORE.read("a1") is None


def test_what_was_not_used_for_longest_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "0.016")  # 1000 bytes for each folder: seven entries
    paths = [STORE.put(f"a{n}", bytes(100)) for n in range(7)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (0, time.time() - 100 - age))
    assert STORE.read("a0") is not None  # used now
    STORE.put("a7", bytes(100))
    assert [n for n in range(8) if STORE.find(f"a{n}") is None] == [1]
    STORE.put("a8", bytes(5000))  # larger than all the room: it stays, and alone
    assert [n for n in range(9) if STORE.find(f"a{n}")] == [8]


def test_what_was_never_finished_goes_in_time() -> None:
    folder = STORE.put("a1", b"1").parent
    old, fresh = folder / "old.part", folder / "fresh.part"
    for one in (old, fresh):
        one.write_bytes(b"half")
    os.utime(old, (0, time.time() - 7200))
    STORE.put("a2", b"2")
    assert (old.exists(), fresh.exists()) == (False, True)


WRITER = """
from threadproof.toolchain.store import ContentStore
store, number = ContentStore("things", ".x", 1.0), 0
while True:
    number += 1
    store.put(f"a{number % 7}", bytes([number % 7]) * 100_000)
    found = store.read(f"a{(number + 3) % 7}")
    assert found is None or found == bytes([(number + 3) % 7]) * 100_000, "not what was put"
    if number == 20:
        print("going", flush=True)
"""


def test_writers_side_by_side_are_killed() -> None:
    for _ in range(2):
        writers = [subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE) for _ in range(2)]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"going\n"
        for writer in writers:
            assert writer.poll() is None, "it met a wrong entry"
            os.kill(writer.pid, signal.SIGKILL)
            writer.wait()
            assert writer.stdout is not None
            writer.stdout.close()
    assert [STORE.read(f"a{n}") for n in range(7)] == [bytes([n]) * 100_000 for n in range(7)]


def test_nothing_from_before() -> None:
    STORE.put("a1", b"before")
    with nothing_from_before():
        assert STORE.read("a1") is None
        STORE.put("a1", b"inside")
        inside = cache_folder()
    assert STORE.read("a1") == b"before"
    assert not inside.exists()


def test_fingerprints_are_the_same_in_another_process() -> None:
    asked = "from threadproof.toolchain.fingerprint import *; print(own_files(), everything())"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True).stdout
    assert said.split() == [own_files(), everything()]
