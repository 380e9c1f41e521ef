"""Executions and time of the stateless search by reduction, on the papers' families of programs.

python benchmarks/executions.py [--seconds 5]

A cell is executions (with blocked and redundant ones), and seconds of the processor; `>` where the time ran out. The
last column is executions per second of `optimal` (goal 1e5 per core, at least 2e4).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from threadproof.codegen.runs.build import CompilerEffort
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import DporReduction, Settings, machine_for
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Spurious

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n"


def source(variables: str, threads: Sequence[str]) -> str:
    routines = [f"void *t{i}(void *arg) {{ {body} return 0; }}" for i, body in enumerate(threads)]
    starts = [f"pthread_create(&id[{i}], 0, t{i}, 0);" for i in range(len(threads))]
    joins = [f"pthread_join(id[{i}], 0);" for i in range(len(threads))]
    main = f"int main(void) {{ pthread_t id[{len(threads)}]; {' '.join([*starts, *joins])} return 0; }}"
    return "\n".join([HEAD, variables, *routines, main])


def writers(n: int) -> str:
    return source("atomic_int x;", [f"x = {i + 1};" for i in range(n)])


def readers(n: int) -> str:
    return source(f"atomic_int x; int r[{n}];", ["x = 1;", *(f"r[{i}] = x;" for i in range(n))])


def last_zero(n: int) -> str:
    reader = f"int i = {n}; while (a[i] != 0) i--;"
    return source(f"atomic_int a[{n + 1}];", [reader, *(f"a[{j}] = a[{j - 1}] + 1;" for j in range(1, n + 1))])


def indexer(n: int) -> str:
    body = (
        "for (int m = 1; m <= 4; m++) {{ int w = m * 11 + {t}, h = (7 * w) % 128, e = 0; "
        "while (!atomic_compare_exchange_strong(&table[h], &e, w)) {{ e = 0; h = (h + 1) % 128; }} }}"
    )
    return source("atomic_int table[128];", [body.format(t=t) for t in range(n)])


def file_system(n: int) -> str:
    body = (
        "int i = {t} % 32; pthread_mutex_lock(&li[i]); if (!inode[i]) {{ int b = (i * 2) % 26; while (1) {{ "
        "pthread_mutex_lock(&lb[b]); if (!busy[b]) {{ busy[b] = 1; inode[i] = b + 1; pthread_mutex_unlock(&lb[b]); "
        "break; }} pthread_mutex_unlock(&lb[b]); b = (b + 1) % 26; }} }} pthread_mutex_unlock(&li[i]);"
    )
    variables = "pthread_mutex_t li[32], lb[26]; int inode[32], busy[26];"
    return source(variables, [body.format(t=t) for t in range(n)])


def fibonacci(n: int) -> str:
    return source(
        "atomic_int i = 1, j = 1;", [f"int a, b; {step * n}" for step in ("a=i;b=j;i=a+b;", "a=j;b=i;j=a+b;")]
    )


FAMILIES: tuple[tuple[str, Callable[[int], str], tuple[int, ...]], ...] = (
    ("n writers", writers, (3, 5, 7)),
    ("n readers, a writer", readers, (4, 8, 12)),
    ("indexer", indexer, (11, 12, 13, 14)),
    ("file system", file_system, (14, 16, 18)),
    ("last zero", last_zero, (4, 8, 10)),
    ("fib_bench", fibonacci, (3, 4, 5, 6)),
)


def measured(program: Program, reduction: DporReduction, seconds: float) -> tuple[str, float]:
    settings = Settings(reduction, slice=5_000)
    task = Task(program, Property.NO_OVERFLOW)
    machine = machine_for(program, Spurious.OFF, CompilerEffort.FULL)  # compiled before the clock starts
    search = StatelessSearch(task, settings, Budget(seconds), Silent(), machine)
    began = time.process_time()
    result = search.run()
    took = time.process_time() - began
    stats = search.stats()
    search.close()
    more = "" if isinstance(result, Safe) else ">"
    wasted = f"+{stats['redundant']}" if stats["redundant"] else ""
    return f"{more}{stats['executions']}{wasted} {took:.2f}s", stats["executions"] / max(took, 1e-6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    seconds: float = parser.parse_args().seconds
    print(f"{'program':24} " + " ".join(f"{r.name.lower():>22}" for r in DporReduction) + f" {'executions/s':>13}")
    for name, make, sizes in FAMILIES:
        for n in sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "main.c"
                path.write_text(make(n), encoding="utf-8")
                program = normalise(load([str(path)], FrontendOptions()))
            cells = [measured(program, reduction, seconds) for reduction in DporReduction]
            row = " ".join(f"{cell:>22}" for cell, _ in cells)
            print(f"{f'{name}, n = {n}':24} {row} {cells[-1][1]:13.3g}", flush=True)


if __name__ == "__main__":
    main()
