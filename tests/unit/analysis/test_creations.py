"""Threads that are created in a loop, as far as the text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.analysis.control.creations import creates_a_crowd, creates_in_loops
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare

HEAD = """#include <pthread.h>
pthread_t h;
void *t(void *a) { return 0; }
void start(void) { pthread_create(&h, 0, t, 0); }
"""


@pytest.mark.parametrize(
    ("main", "in_loops", "crowd"),
    [
        ("for (int i = 0; i < 10000; i++) pthread_create(&h, 0, t, 0);", True, True),
        ("while (1) start();", True, True),
        ("for (int i = 0; i < 3; i++) start();", True, False),
        ("start(); start(); for (int i = 0; i < 9; i++) { }", False, False),
    ],
)
def test_creations_in_loops(tmp_path: Path, main: str, in_loops: bool, crowd: bool) -> None:
    file = tmp_path / "main.c"
    file.write_text(f"{HEAD}int main(void) {{ {main} }}\n", encoding="utf-8")
    for prop in (Property.UNREACH_CALL, Property.VALID_MEMSAFETY):
        program = prepare([str(file)], prop, FrontendOptions())
        assert creates_in_loops(program) is in_loops
        assert creates_a_crowd(program) is crowd
