"""Threads that are created in a loop, as far as the text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.analysis.control.creations import creates_in_loops
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare

HEAD = """#include <pthread.h>
pthread_t h;
void *t(void *a) { return 0; }
void start(void) { pthread_create(&h, 0, t, 0); }
"""


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("for (int i = 0; i < 10000; i++) pthread_create(&h, 0, t, 0);", True),
        ("while (1) start();", True),
        ("start(); start(); for (int i = 0; i < 9; i++) { }", False),
    ],
)
def test_creations_in_loops(tmp_path: Path, main: str, expected: bool) -> None:
    file = tmp_path / "main.c"
    file.write_text(f"{HEAD}int main(void) {{ {main} }}\n", encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    assert creates_in_loops(program) is expected
