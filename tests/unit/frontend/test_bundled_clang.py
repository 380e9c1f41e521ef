"""The bundled clang is called by itself; what it makes is what `zig cc` makes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from threadproof.frontend import clang
from threadproof.frontend.options import FrontendOptions, Locals
from threadproof.ir.reading import DataModel
from threadproof.toolchain.compiler import bundled_zig

ZIG_TARGETS = {DataModel.ILP32: "x86-linux-gnu", DataModel.LP64: "x86_64-linux-gnu"}
C = """
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
struct S { int a; long long b; double d; long double e; _Atomic long long q; };
double g(double x, float y, long double z, struct S s) { return x * y + z + s.e + sqrt(x); }
static inline int k(int a) { return a << 3; }
int main(void) {
  struct S s = {1, 2, 3, 4, 5};
  char b[100];
  for (int i = 0; i < 3; i++) { int j = i; b[j] = k(j); s.q++; }
  return g(1, 2, 3, s) + b[1];
}
"""


@pytest.mark.parametrize("data_model", DataModel)
def test_the_same_as_zig_cc(data_model: DataModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.c"
    source.write_text(C)
    options = FrontendOptions(data_model=data_model, locals=Locals.BLOCK)
    ours = clang.compile_c(str(source), options)
    zig_cc = [bundled_zig(), "cc", "-target", ZIG_TARGETS[data_model]]
    monkeypatch.setattr(clang, "_command", lambda _: zig_cc)
    assert _meaning(clang.compile_c(str(source), options)) == _meaning(ours)


@pytest.mark.parametrize("data_model", DataModel)
def test_the_same_macros_as_zig_cc(data_model: DataModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIG_LOCAL_CACHE_DIR", str(tmp_path))
    source = tmp_path / "a.c"
    source.write_text(C)
    last = ["-O0", "-g", "-fno-stack-protector", "-fno-sanitize=all", "-dM", "-E", str(source)]
    ours = clang._command(FrontendOptions(data_model=data_model))  # pyright: ignore[reportPrivateUsage]
    theirs = [bundled_zig(), "cc", "-target", ZIG_TARGETS[data_model]]
    found = [subprocess.run([*one, *last], capture_output=True, text=True, check=True).stdout for one in (ours, theirs)]
    assert sorted(found[0].splitlines()) == sorted(found[1].splitlines())
    assert "__GLIBC_MINOR__" in found[0]


def _meaning(text: str) -> str:
    """Without the list of all features that the processor does not have."""
    return re.sub(r'"target-features"="[^"]*"', "", text)
