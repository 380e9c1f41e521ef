"""Who is asked depends on what the program contains."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.plan import plan

HEAD = """#include <pthread.h>
#include <stdlib.h>
int *p, a[3], __VERIFIER_nondet_int(void);
void *t(void *b) { a[1]++; return 0; }
"""
ONE = "pthread_t h; pthread_create(&h, 0, t, 0);"
CROWD = "pthread_t h; for (int i = 0; i < 1000; i++) pthread_create(&h, 0, t, 0);"
NUMBER = "int n = __VERIFIER_nondet_int(); a[2] = n;"
MEMSAFETY, UNREACH, OVERFLOW = Property.VALID_MEMSAFETY, Property.UNREACH_CALL, Property.NO_OVERFLOW


@pytest.mark.parametrize(
    ("main", "prop", "asked"),
    [
        (ONE, MEMSAFETY, ["modular", "explicit", "bmc", "dpor", "trace"]),
        (ONE + "p = malloc(4); free(p);", MEMSAFETY, ["modular", "explicit", "bmc", "dpor", "trace"]),
        (ONE + "p = malloc(4); p = 0;", MEMSAFETY, ["explicit", "bmc", "dpor"]),
        (ONE + NUMBER + "while (n--) a[0]++;", OVERFLOW, ["modular", "trace", "explicit", "dpor", "bmc"]),
        (ONE, UNREACH, ["explicit", "bmc", "dpor", "trace"]),
        (ONE + NUMBER, UNREACH, ["bmc", "explicit", "dpor", "trace"]),
        (ONE + NUMBER + "while (n--) a[0]++;", UNREACH, ["trace", "bmc", "explicit", "dpor"]),
        (CROWD, UNREACH, ["modular", "explicit", "bmc"]),
        (CROWD + "p = malloc(4); free(p);", MEMSAFETY, ["modular", "explicit", "bmc"]),
        (CROWD + "p = malloc(4); p = 0;", MEMSAFETY, ["explicit", "bmc"]),
    ],
)
def test_searches(tmp_path: Path, main: str, prop: Property, asked: list[str]) -> None:
    file = tmp_path / "main.c"
    file.write_text(f"{HEAD}int main(void) {{ {main} }}\n", encoding="utf-8")
    program = prepare([str(file)], prop, FrontendOptions())
    assert [turn.engine for turn in plan("auto", prop, MemoryModel.SC, program).searches] == asked
