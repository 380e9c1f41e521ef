"""Blocks that are left when the program ends: the native search says what the reference says."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines.explicit import native, reference
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

ASKED = Property.VALID_MEMCLEANUP
PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
int *p, x;
void *frees(void *arg) {{ x = 1; free(p); return 0; }}
int main(void) {{ pthread_t a, b; p = malloc(4); pthread_create(&a, 0, frees, 0); {end} }}
"""


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("return 0;", Unsafe),  # before the thread has freed it
        ("pthread_join(a, 0); return 0;", Safe),
        ("pthread_exit(0);", Safe),  # the last thread ends the program
        ("p = malloc(8); pthread_exit(0);", Unsafe),
        ("if (x) { pthread_join(a, 0); exit(0); } abort();", Safe),  # abort leaves no time to clean up
        ("if (x) exit(0); pthread_join(a, 0); return 0;", Unsafe),
    ],
)
def test_native_and_reference_agree(tmp_path: Path, end: str, expected: type[Safe] | type[Unsafe]) -> None:
    path = tmp_path / "main.c"
    path.write_text(PROGRAM.format(end=end), encoding="utf-8")
    task = Task(prepare([str(path)], ASKED, FrontendOptions()), ASKED)
    for check in (native.check, reference.check):
        found = check(task, Budget(900), Silent())
        assert isinstance(found, expected)
        if isinstance(found, Unsafe):
            assert replay_schedule(task.program, ASKED, found.schedule) is not None
