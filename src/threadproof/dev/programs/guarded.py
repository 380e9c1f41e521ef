"""Random programs whose accesses are guarded in one way or another, for provers of the absence of races.

Two threads and main put together pieces: locks nested or taken in turns, values tested under them, conditions asked
again, variables of one thread, parts of an array. About half of the programs race; the rest is free of races for the
reasons a prover should know, or for none it can see.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

HEAD = """#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
#define LOCK(l) pthread_mutex_lock(&l);
#define UNLOCK(l) pthread_mutex_unlock(&l);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u;
int x, y, v, state, n = 2, a[6];
_Thread_local int own;
"""
DEEPEST = 2


class GuardedProgram:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._names = 0

    def program(self) -> str:
        f, g = self._thread("f"), self._thread("g")
        second = self._random.choice(["g", "g", "f"])
        join = self._random.choice(["", "", "pthread_join(t, 0); ", "pthread_join(t, 0); pthread_join(u, 0); "])
        main = (
            "int main(void) { int c = __VERIFIER_nondet_bool(), r; n = 1 + __VERIFIER_nondet_bool();\n"
            f"  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, {second}, 0);\n"
            f"  {join}{self._body(1)}\n  return 0; }}\n"
        )
        return HEAD + f + g + main

    def _thread(self, name: str) -> str:
        body = " ".join(self._body(0) for _ in range(self._random.randint(1, 2)))
        return f"void *{name}(void *p) {{ int c = __VERIFIER_nondet_bool(), r;\n  {body}\n  return 0; }}\n"

    def _body(self, depth: int) -> str:
        simple = [self._access, self._access, self._value, self._loop]
        nested: list[Callable[[int], str]] = [
            self._locked, self._locked, self._turns, self._again, self._tested, self._seen, self._own, self._state,
        ]  # fmt: skip
        if depth >= DEEPEST or self._random.random() < 0.2:
            return self._random.choice(simple)()
        return self._random.choice(nested)(depth + 1)

    # --- pieces ------------------------------------------------------------------------------------------------------

    def _access(self) -> str:
        return self._random.choice(["x++;", "x = 1;", "r = x;", "y++;", "r = y;"])

    def _value(self) -> str:
        """Mostly a lock under which a value is changed and changed back."""
        lock, last = self._lock(), self._random.choice([0, 0, 0, 1])
        return f"LOCK({lock}) v = {self._small()}; v = {last}; UNLOCK({lock})"

    def _loop(self) -> str:
        low, high = self._random.choice([("0", "n"), ("n", "3"), ("0", "2"), ("2", "4"), ("n", "n + 1")])
        return f"for (int i = {low}; i < {high}; i++) a[i] = 1;"

    def _locked(self, depth: int) -> str:
        lock = self._lock()
        return f"LOCK({lock}) {self._body(depth)} UNLOCK({lock})"

    def _turns(self, depth: int) -> str:
        """The second lock is taken before the first is given back."""
        first, second = self._random.choice([("m", "k"), ("k", "m")])
        inner = f"LOCK({second}) {self._body(depth)}"
        if self._random.random() < 0.5:
            return f"LOCK({first}) {inner} UNLOCK({first}) {self._access()} UNLOCK({second})"
        return f"LOCK({first}) {inner} UNLOCK({second}) {self._access()} UNLOCK({first})"

    def _again(self, depth: int) -> str:
        """A condition asked again, computed anew, now and then another one."""
        lock, between = (
            self._lock(),
            self._random.choice(["c++; if (c - 1)", "if (c)", "if (!c)", "c += 2; if (c - 1)"]),
        )
        back = {"c++;": "c--;", "c +=": "c -= 2;"}.get(between[:4], "")
        return f"if (c) LOCK({lock}) {between} {{ {self._body(depth)} }} {back} if (c) UNLOCK({lock})"

    def _tested(self, depth: int) -> str:
        lock = self._lock()
        return f"LOCK({lock}) if (v == {self._small()}) {{ {self._body(depth)} }} UNLOCK({lock})"

    def _seen(self, depth: int) -> str:
        lock = self._lock()
        self._names += 1
        w = f"w{self._names}"
        return f"LOCK({lock}) int {w} = v; UNLOCK({lock}) if ({w} == {self._small()}) {{ {self._body(depth)} }}"

    def _own(self, depth: int) -> str:
        lock, asked = self._lock(), self._random.choice([0, 1])
        given = self._random.choice([f"own = {asked};", f"own = {asked};", "own = c;", ""])
        return f"{given} if (own == {asked}) LOCK({lock}) {self._body(depth)} if (own == {asked}) UNLOCK({lock})"

    def _state(self, depth: int) -> str:
        return f"if (state == {self._random.choice([0, 0, 1])}) {{ {self._body(depth)} }} state = {self._small()};"

    def _lock(self) -> str:
        return self._random.choice(["m", "m", "k"])

    def _small(self) -> int:
        return self._random.choice([0, 1, 1, 2])


def generate_guarded(seed: int) -> str:
    return GuardedProgram(seed).program()
