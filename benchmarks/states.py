"""States per second of the native explicit search, one core (goal: 2e6, at least 5e5).

python benchmarks/states.py [--from 4] [--to 8] [--jobs 1] [FILE.c ...]

With several workers (`--jobs`) times are of the clock, for which the machine must be quiet.

Two threads add Fibonacci numbers, N additions each, and the assertion holds, so all states are visited. Times are of
the processor, so that a busy machine does not spoil them. The machine is compiled as the engine compiles it at first,
without optimisation (`plain`), and with (`optimised`); ready is what reading and compiling took.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from threadproof.analysis.footprints.futures import futures
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import resident_mb
from threadproof.engines.explicit.search import NativeSearch, SearchEnd, SearchQuestion
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import ErrorKind
from threadproof.passes.pipeline import normalise

FIBONACCI = """#include <pthread.h>
extern void reach_error(void);
int i = 1, j = 1;
void *t1(void *arg) {{ for (int k = 0; k < {n}; k++) i += j; return 0; }}
void *t2(void *arg) {{ for (int k = 0; k < {n}; k++) j += i; return 0; }}
int main(void) {{
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    if (i > {bound} || j > {bound}) reach_error();
    return 0;
}}
"""


def largest(additions: int) -> int:
    """What either variable can reach: all additions, one after the other."""
    a, b = 1, 1
    for _ in range(2 * additions):
        a, b = b, a + b
    return b


def measure(title: str, path: Path, effort: CompilerEffort, jobs: int = 1) -> None:
    began = time.monotonic()
    machine = NativeMachine(normalise(load([str(path)], FrontendOptions())), effort=effort)
    ready = time.monotonic() - began
    before, started, since = resident_mb(), time.process_time(), time.monotonic()
    errors = frozenset({ErrorKind.REACH_ERROR, ErrorKind.ASSERTION})
    search = NativeSearch(machine, SearchQuestion(errors, frozenset()), known=futures(machine.program), jobs=jobs)
    end = SearchEnd.MORE
    while end is SearchEnd.MORE:
        end = search.run(100_000)
    spent = time.process_time() - started if jobs == 1 else time.monotonic() - since
    memory = resident_mb() - before
    how = "plain" if effort is CompilerEffort.NONE else "optimised"
    print(
        f"{title:12} {how:9} {search.states:10,} states {search.steps:11,} steps {spent:7.2f} s"
        f" {search.states / spent:9.2e} states/s {memory:5.0f} MB  ready in {ready:.2f} s, {end.name.lower()}"
    )
    search.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=4)
    parser.add_argument("--to", dest="last", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for n in range(options.first, options.last + 1):
            path = Path(folder) / f"fib_{n}.c"
            path.write_text(FIBONACCI.format(n=n, bound=largest(n)), encoding="utf-8")
            for effort in (CompilerEffort.NONE, CompilerEffort.FULL):
                measure(f"fib N={n}", path, effort, options.jobs)
    for path in options.files:
        measure(path.name, path, CompilerEffort.NONE, options.jobs)


if __name__ == "__main__":
    main()
