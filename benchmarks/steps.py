"""Steps and runs per second of the native step machine, one core, instruction granularity (goal: 5e7 steps/s).

python benchmarks/steps.py [--seconds 2] [FILE.c ...]

Times are of the processor, so that a busy machine does not spoil them. The Fibonacci programs are those of Lodin's
paper (two threads, N additions each); what they come to is compared with the known probability. Gossip and robot are
those of tests/papers/lodin, cut at 5000 steps as in the paper.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Uniform
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import instruction_form
from threadproof.semantics.run import Granularity, Spurious

FIBONACCI = """#include <pthread.h>
extern void reach_error(void);
int i = 1, j = 1;
void *t1(void *arg) {{ int k = 0; for (k = 0; k < {n}; k++) i += j; pthread_exit(0); }}
void *t2(void *arg) {{ int k = 0; for (k = 0; k < {n}; k++) j += i; pthread_exit(0); }}
int main(void) {{
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    if (i == {target} || j == {target}) reach_error();
    return 0;
}}
"""
KNOWN = {2: (3, 0.13242), 4: (21, 0.046719), 8: (987, 0.0019385), 16: (2178309, 3.021e-6)}

LOCKED = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int buffer[16], count;
void *worker(void *arg) {
    for (int k = 0; k < 20; k++) {
        pthread_mutex_lock(&m);
        buffer[count % 16] += k;
        count++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t id[3];
    for (int k = 0; k < 3; k++) pthread_create(&id[k], 0, worker, 0);
    for (int k = 0; k < 3; k++) pthread_join(id[k], 0);
    return 0;
}
"""
MAX_STEPS = 100_000
PAPERS = Path(__file__).parent.parent / "tests" / "papers" / "lodin"
PAPER_STEPS = 5000


def measure(
    title: str,
    path: Path,
    seconds: float,
    known: float | None = None,
    max_steps: int = MAX_STEPS,
    defines: tuple[str, ...] = (),
) -> None:
    started = time.monotonic()
    program = instruction_form(load([str(path)], FrontendOptions(defines=defines)))
    machine = NativeMachine(program, Granularity.INSTRUCTION, Spurious.OFF)
    ready = time.monotonic() - started
    runs = steps = failed = 0
    spent = 0.0
    size = 100
    while spent < seconds:
        began = time.thread_time()
        batch = machine.run_batch(1, runs, size, max_steps, Uniform())
        took = time.thread_time() - began
        spent += took
        runs += size
        steps += int(batch.steps.sum())
        failed += batch.count(OutcomeKind.FAILED)
        size = max(1, min(1_000_000, int(size * 0.3 / max(took, 1e-4))))
    estimate = f"{failed / runs:.6g}" + (f" (known: {known:.6g})" if known is not None else "")
    print(
        f"{title:14} {steps / spent:10.3g} steps/s {runs / spent:10.3g} runs/s {steps / runs:8.1f} steps a run"
        f"  state {machine.state_size} bytes, ready in {ready:.2f} s, errors {estimate}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for n, (target, known) in KNOWN.items():
            path = Path(folder) / f"fib_{2 * n}.c"
            path.write_text(FIBONACCI.format(n=n, target=target), encoding="utf-8")
            measure(f"fib_{2 * n}", path, options.seconds, known)
        locked = Path(folder) / "locked.c"
        locked.write_text(LOCKED, encoding="utf-8")
        measure("locked buffer", locked, options.seconds)
    measure("gossip_3", PAPERS / "gossip.c", options.seconds, max_steps=PAPER_STEPS, defines=("PROCS=3",))
    measure("robot", PAPERS / "robot.c", options.seconds, max_steps=PAPER_STEPS)
    for path in options.files:
        measure(path.name, path, options.seconds)


if __name__ == "__main__":
    main()
