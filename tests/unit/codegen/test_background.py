"""Compiling beside other work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from threadproof.codegen.runs.background import Compilation
from threadproof.codegen.runs.build import CompilerEffort, library

TEXT = '__attribute__((visibility("default"))) int answer(void) {{ return {}; }}'


def test_what_is_ready_is_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    work = Compilation(TEXT.format(41), CompilerEffort.NONE)
    end = time.monotonic() + 300
    while not work.is_ready() and time.monotonic() < end:
        time.sleep(0.05)
    assert work.is_ready()
    monkeypatch.setattr("threadproof.codegen.runs.build._made", None)  # nobody compiles any more
    assert library(TEXT.format(41), CompilerEffort.NONE).answer() == 41
    work.stop()


def test_it_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    work = Compilation(TEXT.format(42), CompilerEffort.FULL)
    work.stop()
    assert not work._child.is_alive()  # pyright: ignore[reportPrivateUsage]
