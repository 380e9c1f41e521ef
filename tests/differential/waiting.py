"""Random programs that wait in loops: `while (CONDITION) pthread_cond_wait(...)`, with all that can go wrong about it.

`python tests/differential/waiting.py FIRST LAST` compares the reductions, in Python and native, with brute force, where
waits may end spuriously, and prints a summary.
"""

from __future__ import annotations

import sys
import time
from random import Random

from native_reductions import compare_native
from reductions import compare_reductions

from threadproof.semantics.run import Spurious

LIMIT = 2_500
_HEAD = """#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER, other = PTHREAD_COND_INITIALIZER;
int x, y, z;
"""


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def program(self) -> str:
        count = self._random.choice((2, 2, 2, 3))
        threads = [f"void *t{n}(void *arg) {{\n{self._body(count)}    return 0;\n}}\n" for n in range(count)]
        joined = self._random.random() < 0.7
        main = [f"pthread_create(&h[{n}], 0, t{n}, 0);" for n in range(count)]
        main += [f"pthread_join(h[{n}], 0);" for n in range(count) if joined]
        main.append(f"if (x == {self._value()} && y == {self._value()}) reach_error();")
        lines = "".join(f"    {line}\n" for line in (f"pthread_t h[{count}];", *main, "return x + y + z;"))
        return f"{_HEAD}{''.join(threads)}int main(void) {{\n{lines}}}\n"

    def _body(self, threads: int) -> str:
        pieces = [self._piece() for _ in range(1 if threads == 3 else self._random.choice((1, 2)))]
        return "".join(f"    {line}\n" for piece in pieces for line in piece)

    def _piece(self) -> list[str]:
        kind = self._random.choices(("wait", "tell", "carelessly", "in vain", "look"), (4, 2, 1, 1, 1))[0]
        if kind == "wait":
            body = self._random.choice(("", self._write(), f"{self._variable()}++;", f"z = {self._variable()};"))
            loop = f"while ({self._condition()}) pthread_cond_wait(&{self._cond()}, &m);"
            return ["pthread_mutex_lock(&m);", loop, body, "pthread_mutex_unlock(&m);"]
        if kind == "tell":
            return ["pthread_mutex_lock(&m);", self._write(), self._wake(), "pthread_mutex_unlock(&m);"]
        if kind == "carelessly":
            return [self._write(), self._wake()]
        return [self._wake()] if kind == "in vain" else [f"z = {self._variable()};"]

    def _condition(self) -> str:
        simple = f"{self._variable()} == {self._value()}"
        return self._random.choice((simple, simple, "x == 0 && y == 0", "x != y"))

    def _write(self) -> str:
        return f"{self._variable()} = {self._value()};"

    def _wake(self) -> str:
        return f"pthread_cond_{self._random.choice(('signal', 'broadcast'))}(&{self._cond()});"

    def _cond(self) -> str:
        return self._random.choice(("cv", "cv", "other"))

    def _variable(self) -> str:
        return self._random.choice("xy")

    def _value(self) -> str:
        return self._random.choice("01")


def waiting_program(seed: int) -> str:
    return _Writer(seed).program()


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    started, compared, traces, different = time.monotonic(), 0, 0, 0
    for seed in range(first, last):
        source = waiting_program(seed)
        native = compare_native(source, Spurious.ON, limit=LIMIT)
        found = [] if native.too_large else [native, compare_reductions(source, Spurious.ON, limit=LIMIT)]
        compared += bool(found)
        traces += native.traces
        differences = [what for one in found for what in one.differences]
        different += bool(differences)
        if differences:
            print(f"--- seed {seed}", *differences, sep="\n", flush=True)
    took = time.monotonic() - started
    print(f"{compared} of {last - first} programs compared, {traces} traces, {different} differ, {took:.0f} s")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
