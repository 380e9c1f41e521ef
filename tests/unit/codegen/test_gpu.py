"""Runs on a GPU, without one: the same kernel on the processor, behind a driver that only looks like NVIDIA's."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from gpu_support import fake_driver, use_fake

from threadproof.codegen.device import lanes
from threadproof.codegen.device.choice import Device, DeviceChoice
from threadproof.codegen.device.cuda import NoGpu, gpu
from threadproof.codegen.device.lanes import sums_of
from threadproof.codegen.device.ptx import compiled
from threadproof.codegen.runs.batch import BatchOptions, Finals, ThreadLimit, WideValues
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Pct, RandomWalk, RoundRobin, Scheduler, Uniform
from threadproof.core.errors import InputError
from threadproof.dev.programs.generate import generate
from threadproof.frontend import load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.run import Granularity, Spurious

COLUMNS = ("kinds", "steps", "verdicts", "values", "scores", "pcs", "details", "finals", "made")
POINTERS = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern double sin(double);
int a[4]; double x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
    int *q = malloc(8), i = __VERIFIER_nondet_int() & 7;
    q[0] = i; q[1] = *(int *)p;
    pthread_mutex_lock(&m); a[i] += q[0] + q[1]; if (i == 3) x = sin(x + i); if (i == 2) x = (x - x) / (x - x);
    pthread_mutex_unlock(&m);
    free(q);
    return 0;
}
int main(void) {
    pthread_t t[2]; int one = 1;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, &one);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return a[0];
}
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fake_driver(tmp_path_factory.mktemp("cuda"))


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, driver: Path):
    use_fake(monkeypatch, driver)
    monkeypatch.setattr(lanes, "FIRST_TURNS", 40)  # many launches: runs are left and taken up again
    yield
    gpu.cache_clear()


def _read(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "main.c"
    path.write_text(text)
    return load([str(path)])


def _pair(program: Program, granularity: Granularity) -> tuple[NativeMachine, NativeMachine]:
    made = [
        NativeMachine(program, granularity, Spurious.OFF, effort=CompilerEffort.NONE, device=device)
        for device in (None, Device(DeviceChoice.GPU))
    ]
    return made[0], made[1]


def _agree(pair: tuple[NativeMachine, NativeMachine], scheduler: Scheduler, runs: int = 300) -> None:
    wishes = BatchOptions(Finals.KEEP, threads=ThreadLimit.CAPPED)
    here, there = (one.run_batch(3, 50, runs, 400, scheduler, None, WideValues.TELLING, wishes) for one in pair)
    assert len(there.kinds) == runs
    for column in COLUMNS:
        assert np.array_equal(getattr(here, column), getattr(there, column)), column


@pytest.mark.parametrize("seed", range(3))
def test_random_programs_run_as_here(tmp_path: Path, seed: int):
    program = instruction_form(_read(tmp_path, generate(seed)))
    _agree(_pair(program, Granularity.INSTRUCTION), Uniform())


@pytest.mark.parametrize("body", ["a += b", "a -= b & 7", "if (a <= (int)b) a = b * 3", "a ^= k | 5; b = a == 4"])
def test_small_operations_are_rows(tmp_path: Path, body: str):
    """Half of the operations are: lanes walk by them, and wait for company at the others."""
    text = "#include <pthread.h>\nint a = 1; unsigned b = 2;\n"
    text += f"void *f(void *p) {{ for (int k = 0; k < 9; k++) {body}; return 0; }}\n"
    start = "pthread_create(&t, 0, f, 0);"
    program = _read(tmp_path, f"{text}int main(void) {{ pthread_t t; {start} {start} f(0); return a; }}\n")
    pair = _pair(program, Granularity.INSTRUCTION)
    assert "#define MANY_ROWS 1" in lanes.gpu_text(pair[1], uniform=True)
    _agree(pair, Uniform())


def test_pointers_choices_and_what_only_the_processor_does(tmp_path: Path):
    """sin() and the bits of 0/0 are the processor's: those runs are made here, the others are not."""
    program = instruction_form(_read(tmp_path, POINTERS))
    pair = _pair(program, Granularity.INSTRUCTION)
    _agree(pair, Uniform())
    made = pair[0].run_batch(3, 50, 300, 400, Uniform())
    sums = pair[1].sum_batch(3, 50, 300, 400)
    assert sums is not None
    assert sums.steps == int(made.steps.sum())
    assert np.array_equal(sums.counts, sums_of(made).counts)
    assert made.count(OutcomeKind.UNDEFINED) > 0


def test_visible_steps_under_every_scheduler(tmp_path: Path):
    pair = _pair(normalise(_read(tmp_path, POINTERS)), Granularity.VISIBLE)
    for scheduler in (Uniform(), Pct(3, 20), RandomWalk((5, 9, 9)), RandomWalk(), RoundRobin(2)):
        _agree(pair, scheduler, 100)


def test_an_interrupt_leaves_the_first_runs(tmp_path: Path):
    here, there = _pair(instruction_form(_read(tmp_path, POINTERS)), Granularity.INSTRUCTION)
    made = there.run_batch(3, 0, 300, 400, Uniform(), options=BatchOptions(interrupt=ctypes.c_int32(1)))
    assert len(made.kinds) < 300
    same = here.run_batch(3, 0, len(made.kinds), 400, Uniform()) if len(made.kinds) else made
    assert np.array_equal(same.steps, made.steps)


def test_memory_is_given_back(tmp_path: Path, driver: Path):
    used = ctypes.CDLL(str(driver)).fake_used
    used.restype = ctypes.c_long
    before = used()
    _, there = _pair(instruction_form(_read(tmp_path, POINTERS)), Granularity.INSTRUCTION)
    there.run_batch(3, 0, 300, 400, Uniform())
    assert used() > before
    there.close()
    assert used() == before


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("nothing", "no NVIDIA GPU is here"),
        ("none", "no NVIDIA GPU is here"),
        ("broken", "does not start: unknown error"),
        ("old-driver", "too old: it knows CUDA 8.0"),
        ("old-gpu", "Fake 1 is too old: compute capability 6.0"),
    ],
)
def test_a_gpu_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, driver: Path, says: str, sentence: str):
    use_fake(monkeypatch, driver, says)
    with pytest.raises(InputError, match=sentence):
        Device(DeviceChoice.GPU)
    device = Device(DeviceChoice.AUTO)
    assert device.gpu is None
    assert sentence in device.note


def test_no_driver_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    use_fake(monkeypatch, tmp_path / "libcuda.so.1")
    assert "no NVIDIA driver is here" in Device(DeviceChoice.AUTO).note


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("no-memory", "too large for this GPU"),
        ("old-code", "driver is too old for the machine's code"),
        ("breaks", "the GPU failed: unspecified launch failure"),
    ],
)
def test_what_fails_later_goes_on_here(
    monkeypatch: pytest.MonkeyPatch, driver: Path, tmp_path: Path, says: str, sentence: str
):
    use_fake(monkeypatch, driver, says)
    program = instruction_form(_read(tmp_path, POINTERS))
    with pytest.raises(InputError, match=sentence):
        _pair(program, Granularity.INSTRUCTION)[1].run_batch(3, 0, 20, 400, Uniform())
    device = Device(DeviceChoice.AUTO)
    machine = NativeMachine(program, Granularity.INSTRUCTION, effort=CompilerEffort.NONE, device=device)
    assert len(machine.run_batch(3, 0, 20, 400, Uniform()).kinds) == 20
    assert sentence in device.note


def test_a_program_too_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(lanes, "MOST_INSTRUCTIONS", 10)
    _, there = _pair(instruction_form(_read(tmp_path, POINTERS)), Granularity.INSTRUCTION)
    with pytest.raises(InputError, match="too large for a GPU"):
        there.run_batch(3, 0, 20, 400, Uniform())


def test_the_bundled_compiler_writes_ptx(tmp_path: Path):
    """The one kernel for all schedulers; nothing in it comes from a library."""
    here, _ = _pair(instruction_form(_read(tmp_path, POINTERS)), Granularity.INSTRUCTION)
    made = compiled(lanes.gpu_text(here, uniform=False)).decode()
    assert ".visible .entry tp_lanes" in made
    assert "brx.idx" in made
    assert "add.rn.f64" in made  # and not one that may be fused with a product
    with pytest.raises(NoGpu, match="strlen"):
        compiled("int strlen(char *); __attribute__((nvptx_kernel)) void f(char *a) { *a = strlen(a); }")
