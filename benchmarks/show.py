"""How long `threadproof show` takes on a 200-line program, start to end (goal: under a second).

python benchmarks/show.py [--runs 7]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEAD = """#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct account { int balance; pthread_mutex_t lock; };
struct account accounts[8];

"""
WORKER = """void *worker{n}(void *arg) {{
    int *rounds = arg;
    for (int i = 0; i < *rounds; i++) {{
        struct account *from = &accounts[i % 8];
        struct account *to = &accounts[(i + {n}) % 8];
        pthread_mutex_lock(&from->lock);
        if (from->balance > {n})
            from->balance -= {n};
        pthread_mutex_unlock(&from->lock);
        pthread_mutex_lock(&to->lock);
        to->balance += {n};
        pthread_mutex_unlock(&to->lock);
    }}
    return NULL;
}}

"""


def program() -> str:
    workers = "".join(WORKER.format(n=n) for n in range(1, 11))
    create = "".join(f"    pthread_create(&t[{n}], NULL, worker{n}, &rounds);\n" for n in range(1, 11))
    join = "".join(f"    pthread_join(t[{n}], NULL);\n" for n in range(1, 11))
    main_head = "int main(void) {\n    pthread_t t[11];\n    int rounds = 3;\n"
    return f"{HEAD}{workers}{main_head}{create}{join}    return 0;\n}}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    runs: int = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bank.c"
        file.write_text(program(), encoding="utf-8")
        lines = len(program().splitlines())
        for stage in ("llvm", "ir", "normal", "automaton"):
            seconds: list[float] = []
            for _ in range(runs):
                started = time.perf_counter()
                command = [sys.executable, "-m", "threadproof", "show", str(file), "--stage", stage]
                subprocess.run(command, check=True, capture_output=True)
                seconds.append(time.perf_counter() - started)
            middle = statistics.median(seconds)
            print(f"show --stage {stage:10} {lines} lines: median {middle:.2f} s, best {min(seconds):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
