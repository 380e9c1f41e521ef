"""Whole commands of `--engine bmc` on programs whose size is a number.

    python benchmarks/bounded.py [--largest 8] [--repeat 3]

Fibonacci: two threads add to each other's variable N times, and the largest sum is asserted (true) or one less (false).
A counter under a lock, five threads twice each; a stack under a lock, five pushes and five pops. Prints the median wall
time of each and how it grows from one N to the next.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
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
