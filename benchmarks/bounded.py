"""Whole commands of `--engine bmc` on programs whose size is a number.

    python benchmarks/bounded.py [--largest 8] [--repeat 3]
    python benchmarks/bounded.py --corpus DIR [--sample 120] [--seed 1] [--property P] [--seconds 20] [--before TREE]

Fibonacci: two threads add to each other's variable N times, and the largest sum is asserted (true) or one less (false).
A counter under a lock, five threads twice each; a stack under a lock, five pushes and five pops. Prints the median wall
time of each and how it grows from one N to the next.

With a corpus (a folder with INDEX.csv: id, path, property, expected, data_model): encoding and solving of a sample of
its SV-COMP tasks; with `--before`, the sources of an earlier version, task by task in turn with it. Sums and the ratio
are over the tasks that both versions decide.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PRELUDE = "#include <pthread.h>\nextern void reach_error(void);\n"


def fibonacci(size: int, verdict: str) -> str:
    a, b = 1, 1
    for _ in range(2 * size):
        a, b = b, a + b
    worst = b if verdict == "true" else b - 1
    return f"""{PRELUDE}int i = 1, j = 1;
void *f(void *a) {{ for (int k = 0; k < {size}; k++) i += j; return 0; }}
void *g(void *a) {{ for (int k = 0; k < {size}; k++) j += i; return 0; }}
int main(void) {{
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  int x = i, y = j;
  if (x > {worst} || y > {worst}) reach_error();
  return 0;
}}
"""


def counter(threads: int, times: int) -> str:
    creates = "".join(f"  pthread_create(&t[{n}], 0, f, 0);\n" for n in range(threads))
    joins = "".join(f"  pthread_join(t[{n}], 0);\n" for n in range(threads))
    return f"""{PRELUDE}pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;
void *f(void *a) {{
  for (int k = 0; k < {times}; k++) {{ pthread_mutex_lock(&m); c = c + 1; pthread_mutex_unlock(&m); }}
  return 0;
}}
int main(void) {{
  pthread_t t[{threads}];
{creates}{joins}  if (c != {threads * times}) reach_error();
  return 0;
}}
"""


def stack(pushes: int) -> str:
    return f"""{PRELUDE}pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int s[{pushes}], top;
void *f(void *a) {{
  for (int k = 0; k < {pushes}; k++) {{
    pthread_mutex_lock(&m);
    if (top == {pushes}) reach_error();
    s[top++] = k;
    pthread_mutex_unlock(&m);
  }}
  return 0;
}}
void *g(void *a) {{
  for (int k = 0; k < {pushes}; k++) {{
    pthread_mutex_lock(&m);
    if (top > 0 && s[--top] > {pushes}) reach_error();
    pthread_mutex_unlock(&m);
  }}
  return 0;
}}
int main(void) {{
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}}
"""


def seconds(text: str, expected: str, repeat: int) -> float:
    """The median time of the whole command, which must give this verdict."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "threadproof", "verify", str(path), "--engine", "bmc", "--timeout", "120"]
        times: list[float] = []
        for _ in range(repeat):
            start = time.perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            times.append(time.perf_counter() - start)
            if f"unreach-call: {expected}" not in done.stdout:
                raise SystemExit(f"expected {expected}, got: {done.stdout}{done.stderr}")
    return statistics.median(times)


def asked(task: dict[str, str], corpus: Path, seconds: int, sources: str | None) -> tuple[str, float, float]:
    """Verdict, seconds of encoding and of solving."""
    environment = {**os.environ, **({} if sources is None else {"PYTHONPATH": sources})}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(corpus / task["path"]), "--engine", "bmc"]
        command += ["--property", task["property"], "--data-model", task["data_model"] or "ILP32"]
        command += ["--timeout", str(seconds), "--json", str(out)]
        subprocess.run(command, capture_output=True, env=environment, check=False)
        text = out.read_text(encoding="utf-8") if out.exists() else '{"verdict": "error"}'
    answer: dict[str, Any] = json.loads(text)
    stats: dict[str, float] = answer.get("stats") or {}
    return answer["verdict"], stats.get("encoding_s", 0.0), stats.get("solving_s", 0.0)


def tasks(corpus: Path, prop: str, sample: int, seed: int) -> list[dict[str, str]]:
    with (corpus / "INDEX.csv").open(newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["property"] == prop and r["id"].startswith("svcomp25/")]
    rows.sort(key=lambda row: row["id"])
    return rows if sample >= len(rows) else sorted(random.Random(seed).sample(rows, sample), key=lambda row: row["id"])


def of_corpus(corpus: Path, chosen: list[dict[str, str]], seconds: int, before: str | None) -> None:
    versions = [None] if before is None else [before, None]
    sums = [[0.0, 0.0] for _ in versions]
    decided = 0
    print("verdict, encoding s, solving s" + ("" if before is None else ": before, now"))
    for task in chosen:
        answers = [asked(task, corpus, seconds, sources) for sources in versions]
        if all(verdict in ("true", "false") for verdict, _, _ in answers):
            decided += 1
            for total, (_, encoding, solving) in zip(sums, answers, strict=True):
                total[0] += encoding
                total[1] += solving
        print(*(f"{v:7} {e:7.3f} {s:7.3f}" for v, e, s in answers), task["id"], sep="   ", flush=True)
        if len({verdict for verdict, _, _ in answers if verdict in ("true", "false")}) > 1:
            raise SystemExit("the versions contradict each other")
    for name, (encoding, solving) in zip(["now"] if before is None else ["before", "now"], sums, strict=True):
        print(f"{name:7} {decided} tasks: encoding {encoding:.2f} s, solving {solving:.2f} s")
    if before is not None and sums[0][0]:
        print(f"encoding now / before: {sums[1][0] / sums[0][0]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--before", help="the folder src of an earlier version")
    options = parser.parse_args()
    if options.corpus is not None:
        chosen = tasks(options.corpus, options.property, options.sample, options.seed)
        of_corpus(options.corpus, chosen, options.seconds, options.before)
        return
    print("Fibonacci    N   true s  growth   false s  growth")
    before: dict[str, float] = {}
    for size in range(2, options.largest + 1):
        row = f"           {size:3}"
        for verdict in ("true", "false"):
            took = seconds(fibonacci(size, verdict), verdict, options.repeat)
            row += f"  {took:7.2f}  {took / before[verdict]:6.2f}" if verdict in before else f"  {took:7.2f}       -"
            before[verdict] = took
        print(row, flush=True)
    print(f"counter, 5 threads twice each  {seconds(counter(5, 2), 'true', options.repeat):7.2f} s")
    print(f"stack, 5 pushes and 5 pops     {seconds(stack(5), 'true', options.repeat):7.2f} s")


if __name__ == "__main__":
    main()
