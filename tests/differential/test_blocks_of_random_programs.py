"""Programs whose text is said to keep every block, against `explicit`: none of them loses one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unsafe
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.judge import judge
from threadproof.portfolio.prepare import prepare
from threadproof.semantics.kept_blocks import keeps_blocks

PROPERTY = Property.VALID_MEMSAFETY
HEAD = """
#include <pthread.h>
#include <stdlib.h>
int *g, *h; _Atomic int flag;
static void leave(void) { if (flag) pthread_exit(0); }
static void stop(void) { if (flag) abort(); }
"""
HELD = ("leave();", "stop();", "if (flag) return 0;", "q = p;", "p = 0;", "free(p);", "*p = 1;", "flag = 1;", "")
"""What may happen while a function holds a block in `p`, and perhaps in `q`."""
ENDS = ("g = p;", "h = q;", "free(p);", "if (flag) g = p;", "g = p; g = 0;", "h = p; *h = 2;", "")
MADE = ("malloc(4)", "made()", "made()")


def kept_program(seed: int) -> str:
    rng = Random(seed)

    def some(pool: tuple[str, ...], most: int) -> str:
        return " ".join(rng.choice(pool) for _ in range(rng.randint(0, most)))

    def body() -> str:
        loop = rng.choice(("", "", "", "for (int i = 0; i < 2; i++)"))
        return f"int *p = 0, *q = 0; {loop} p = {rng.choice(MADE)}; {some(HELD, 2)} {rng.choice(ENDS)}"

    made = f"static int *made(void) {{ int *p = malloc(4), *q = p; {some(HELD, 1)} return {rng.choice('ppq')}; }}"
    thread = f"void *work(void *unused) {{ {rng.choice((body(), 'flag = 1;', 'flag = !!g;'))} return 0; }}"
    join = rng.choice(("pthread_join(t, 0);", "pthread_cancel(t); pthread_join(t, 0);", "pthread_join(t, 0);"))
    create = f"pthread_t t; pthread_create(&t, 0, work, 0); {{ {body()} }} {join}"
    return f"{HEAD}{made}\n{thread}\nint main(void) {{ {create} return 0; }}\n"


def compared(folder: Path, seed: int) -> str:
    file = folder / "main.c"
    file.write_text(kept_program(seed), encoding="utf-8")
    program = prepare([str(file)], PROPERTY, FrontendOptions())
    if not keeps_blocks(program):
        return "perhaps not"
    found = explicit.check(Task(program, PROPERTY), Budget(10), Silent())
    if not isinstance(found, Unsafe):
        return type(found).__name__
    answer = judge(program, PROPERTY, "explicit", found, Budget(60), MemoryModel.SC, 0)
    assert answer.violated, f"seed {seed}: no replay"
    assert answer.violated != "valid-memtrack", f"seed {seed}: {kept_program(seed)}"
    return "another violation"


def test_no_block_is_lost(tmp_path: Path, at_length: bool) -> None:
    ended = Counter(compared(tmp_path, seed) for seed in range(2_000 if at_length else 30))
    assert ended["perhaps not"], ended
    assert ended["Safe"], ended
