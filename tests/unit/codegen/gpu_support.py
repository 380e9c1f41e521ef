"""A GPU made of the processor: the fake driver, and kernels compiled for it instead of PTX."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from threadproof.codegen.device import cuda, lanes
from threadproof.codegen.runs.build import CompilerEffort, library

SOURCE = Path(__file__).with_name("fake_cuda.c")


def fake_driver(folder: Path) -> Path:
    made = folder / "libcuda-fake.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-O1", str(SOURCE), "-o", str(made), "-ldl"], check=True)
    return made


def emulated(text: str) -> bytes:
    return f"EMULATED {library(f'#define EMULATED 1{chr(10)}{text}', CompilerEffort.NONE)._name}".encode()


def use_fake(monkeypatch: pytest.MonkeyPatch, driver: Path, says: str = "") -> None:
    monkeypatch.setenv(cuda.LIBRARY_VARIABLE, str(driver))
    monkeypatch.setenv("FAKE_CUDA", says)
    monkeypatch.setattr(lanes, "compiled", emulated)
    cuda.gpu.cache_clear()
