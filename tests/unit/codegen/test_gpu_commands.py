"""`--device` on the command line, with a driver that only looks like NVIDIA's: answers are those of the processor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gpu_support import fake_driver, use_fake

from threadproof.cli.main import run as main
from threadproof.codegen.device.cuda import gpu
from threadproof.engines.smc.sampling import native

FIB = str(Path(__file__).parents[2] / "papers" / "lodin" / "fib.c")
ERROR = "Pr[<=5000] (<> [0.VERIFIERError])"
UNTIMED = ("wall_s", "steps_per_s", "sampler", "prepare_s", "reached")


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fake_driver(tmp_path_factory.mktemp("cuda"))


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, driver: Path):
    use_fake(monkeypatch, driver)
    monkeypatch.setattr(native, "FIRST_ON_GPU", 256)
    yield
    gpu.cache_clear()


def _answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["smc", FIB, "--undefined", "pure", "--json", "-", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "words",
    [
        ("-q", ERROR, "--runs", "1000"),
        ("-q", ERROR, "--width", "0.1"),
        ("-q", f"{ERROR} >= 0.1"),
        ("-q", "Estimate [<=200,200] {max i}"),
        (
            "-q",
            ERROR,
            "--splitting",
            "fixed",
            "--levels",
            "i == 2; i == 2 && j == 3",
            "--budget",
            "200",
            "--repeat",
            "2",
        ),
    ],
    ids=["fixed", "sequential", "test", "expectation", "splitting"],
)
def test_smc_answers_as_here(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]):
    here, there = _answer(capsys, *words), _answer(capsys, *words, "--device", "gpu")
    assert there["sampler"] == "native on Fake 1"
    for key in UNTIMED:
        here.pop(key, None)
        there.pop(key, None)
    assert here == there


def test_without_a_gpu_auto_says_so_and_gpu_ends_with_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, driver: Path
):
    use_fake(monkeypatch, driver, "none")
    assert main(["smc", FIB, "-q", ERROR, "--runs", "50", "--device", "auto"]) == 0
    assert "not on a GPU: no NVIDIA GPU is here" in capsys.readouterr().out
    assert main(["smc", FIB, "-q", ERROR, "--runs", "50", "--device", "gpu"]) == 3
    assert "no NVIDIA GPU is here" in capsys.readouterr().err
    assert main(["smc", FIB, "-q", ERROR, "--device", "gpu", "--machine", "reference"]) == 3
