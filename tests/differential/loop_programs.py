"""Random programs with unbounded loops over small domains: every variable is 0, 1 or 2, so that all states can be
listed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

HEAD = """#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, z, v[3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
SIMPLE = (
    "# = @;",
    "# = @;",
    "# = (# + 1) % 3;",
    "# = $;",
    "v[#] = @;",
    "# = v[$];",
    "__VERIFIER_assume(# != @);",
    "assert(# != @ || $ != @);",
    "assert(# != @ || $ == @);",
)
AROUND = (
    "if (# == @) { ... }",
    "if (__VERIFIER_nondet_bool()) { ... } else { ... }",
    "while (# == @) { ... }",
    "while (# != $) { ... }",
    "while (__VERIFIER_nondet_bool()) { ... }",
    "pthread_mutex_lock(&m); ... pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); ... pthread_mutex_unlock(&m);",
    "__VERIFIER_atomic_begin(); ; ... __VERIFIER_atomic_end();",
)
CONDITIONS = (
    "__VERIFIER_atomic_begin(); # = # == @ && $ != @ || $ == @ ? (# == $ ? @ : $) : @; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); # = # != @ ? @ : $; $ = # == @ && v[@] ? v[@] : #; __VERIFIER_atomic_end();",
    "# = i > @ && i < @ || j == @ ? @ : i; i = i == @ ? j : @; j = i != @ ? j : i;",
    "i = #; j = i == @ ? @ : j;",
)
"""Conditional expressions, many of which become selections (`automaton/if_conversion.py`)."""


def conditions_program(seed: int) -> str:
    """As `loop_program`, with many of those in threads that have locals."""
    return loop_program(seed, (*CONDITIONS, *CONDITIONS, *SIMPLE), "int i = 0, j = 1;\n")


def loop_program(seed: int, simple: Sequence[str] = SIMPLE, variables: str = "") -> str:
    return _Program(Random(seed), simple, variables).text()


def joined_program(seed: int) -> str:
    """Two or three threads whose loops may end, and main, which waits for them all before it asserts something."""
    return _Program(Random(f"joined {seed}"), SIMPLE, "").joined()


LOCKED = (
    "pthread_mutex_lock(&m); # = @; $ = @; # = @; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); # = (# + 1) % 3; # = (# + 2) % 3; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); if (# == @) # = @; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); assert(# != @ || $ != @); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); # = $; assert(# == $); # = @; pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m) == 0) { # = @; assert(# == @); pthread_mutex_unlock(&m); }",
    "__VERIFIER_atomic_begin(); # = @; $ = #; __VERIFIER_atomic_end();",
    "assert(# != @);",
    "while (# == @) { }",
    "# = @;",
)
"""What threads do of which there may be many."""


def many_threads_program(seed: int, *, any_number: bool) -> str:
    """Two to four threads; or any number of one kind, with `CREATE` between the loop and the creation."""
    rng = Random(f"many {seed}")
    kinds = 1 if any_number and rng.random() < 0.7 else rng.choice((2, 2, 3))
    text = HEAD
    for number in range(kinds):
        body = "\n".join(_filled(rng, rng.choice(LOCKED)) for _ in range(rng.choice((1, 2, 2, 3))))
        text += f"void *t{number}(void *arg) {{\n{body}\nreturn 0;\n}}\n"
    text += "int main(void) {\npthread_t h;\n"
    text += "".join(f"{one} = {rng.randrange(3)};\n" for one in "xyz" if rng.random() < 0.4)
    loop = "while (__VERIFIER_nondet_bool()) CREATE " if any_number else ""
    text += "".join(f"{'' if n else loop}pthread_create(&h, 0, t{n}, 0);\n" for n in range(kinds))
    text += "pthread_create(&h, 0, t1, 0);\n" if kinds > 1 and rng.random() < 0.3 else ""
    text += "".join(_filled(rng, rng.choice(LOCKED)) + "\n" for _ in range(rng.choice((0, 1, 1, 2))))
    return text + "return 0;\n}\n"


TAKES = (
    "__VERIFIER_atomic_begin(); __VERIFIER_assume(l == 0); l = 1; __VERIFIER_atomic_end();",
    "while (!taken()) { }",
)
FREES = ("__VERIFIER_atomic_begin(); l = 0; __VERIFIER_atomic_end();", "l = 0;")
TAKEN = """int l;
int taken(void) {
  __VERIFIER_atomic_begin(); int free = l == 0; if (free) l = 1; __VERIFIER_atomic_end();
  return free;
}
"""


def lock_by_hand_program(seed: int) -> str:
    """Any number of threads with a variable for a lock; now and then it is not taken, or given back once more."""
    rng = Random(f"by hand {seed}")
    source = many_threads_program(seed, any_number=True).replace("pthread_mutex_trylock(&m) == 0", "taken()")
    parts = source.split("pthread_mutex_lock(&m);")
    source = parts[0] + "".join((rng.choice(TAKES) if rng.random() < 0.9 else "") + part for part in parts[1:])
    parts = source.split("pthread_mutex_unlock(&m);")
    source = parts[0] + "".join(rng.choice(FREES) * (2 if rng.random() < 0.1 else 1) + part for part in parts[1:])
    return source.replace("void *t0", f"{TAKEN}void *t0", 1)


ADDING = (
    "pthread_mutex_lock(&m); # += NUMBER; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); # += NUMBER; # -= NUMBER; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); # += NUMBER; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); #--; "
    "pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); if ($ == 0) # += NUMBER; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); # = $; pthread_mutex_unlock(&m);",
    "for (int k = 0; k < 2; k++) { pthread_mutex_lock(&m); # += NUMBER; pthread_mutex_unlock(&m); }",
    "__VERIFIER_atomic_begin(); # += NUMBER; __VERIFIER_atomic_end();",
    "# += NUMBER;",
)
NUMBERS = ("1", "1", "-1", "700000000", "-700000000", "1100000000")


RACING = (
    "# += NUMBER;",
    "# += NUMBER;",
    "v[@] += NUMBER;",
    "v[@] += NUMBER;",
    "{ int old = #; # += NUMBER; # = old; }",
    "{ int old = v[@]; $ = 0; v[@] = old + NUMBER; }",
    "if ($ == 0) # += NUMBER;",
    "for (int k = 0; k < 2; k++) # += NUMBER;",
    "for (int k = 0; k < 3; k++) v[k] += NUMBER;",
    "for (int k = 0; k < 2; k++) v[k] += v[k + 1];",
    "# = v[@];",
    "v[@] = $;",
    "pthread_mutex_lock(&m); # += NUMBER; pthread_mutex_unlock(&m);",
)
"""What they add to variables and elements that no lock protects."""


def racing_program(seed: int) -> str:
    return counting_program(seed, RACING)


def counting_program(seed: int, what: Sequence[str] = ADDING) -> str:
    """Threads, created in a loop, that add so much to variables that a few of them may overflow."""
    rng = Random(f"{'racing' if what is RACING else 'counting'} {seed}")

    def adding() -> str:
        body = rng.choice(what).replace("NUMBER", rng.choice(NUMBERS))
        names = {"$": "xyz", "#": "xy", "@": "012"}
        return "".join(rng.choice(names[c]) if c in names else c for c in body)

    text = HEAD
    for number in range(2):
        text += f"void *t{number}(void *arg) {{\n" + "\n".join(adding() for _ in range(rng.choice((1, 1, 2))))
        text += "\nreturn 0;\n}\n"
    text += "int main(void) {\npthread_t h;\n"
    text += f"for (int i = 0; i < {rng.choice((2, 3, 4))}; i++) pthread_create(&h, 0, t0, 0);\n"
    text += "pthread_create(&h, 0, t1, 0);\n" if rng.random() < 0.5 else ""
    return text + "".join(adding() + "\n" for _ in range(rng.choice((0, 1)))) + "return 0;\n}\n"


SHAPES = {"loops": loop_program, "conditions": conditions_program}


class _Program:
    def __init__(self, rng: Random, simple: Sequence[str], variables: str) -> None:
        self._rng = rng
        self._simple = simple
        self._locals = variables

    def text(self) -> str:
        rng = self._rng
        threads = rng.choice((1, 2, 2, 2))
        bodies = [self._thread() for _ in range(threads)]
        text = HEAD
        for number, body in enumerate(bodies):
            text += f"void *t{number}(void *arg) {{\n{self._locals}{body}\nreturn 0;\n}}\n"
        started = list(range(threads)) + ([rng.randrange(threads)] if rng.random() < 0.2 else [])
        text += "int main(void) {\n" + self._locals + (self._block(2, 1) if rng.random() < 0.3 else "")
        text += "".join(f"pthread_t h{n};\npthread_create(&h{n}, 0, t{body}, 0);\n" for n, body in enumerate(started))
        text += self._block(rng.choice((0, 1, 2)), 1)
        if rng.random() < 0.5:
            text += "".join(f"pthread_join(h{n}, 0);\n" for n in range(len(started))) + _filled(
                rng, rng.choice(SIMPLE[-2:])
            )
        return text + "\nreturn 0;\n}\n"

    def joined(self) -> str:
        rng, text = self._rng, HEAD
        threads = rng.choice((2, 2, 3))
        for number in range(threads):
            body = self._block(rng.choice((1, 2)), 2)
            body = f"while (__VERIFIER_nondet_bool()) {{\n{body}}}\n" if rng.random() < 0.4 else body
            text += f"void *t{number}(void *arg) {{\n{body}return 0;\n}}\n"
        text += "int main(void) {\n" + "".join(f"{one} = {rng.randrange(3)};\n" for one in "xyz" if rng.random() < 0.5)
        text += "".join(f"pthread_t h{n};\npthread_create(&h{n}, 0, t{n}, 0);\n" for n in range(threads))
        text += "".join(f"pthread_join(h{n}, 0);\n" for n in range(threads))
        return text + _filled(rng, rng.choice(SIMPLE[-2:])) + "\nreturn 0;\n}\n"

    def _thread(self) -> str:
        rng = self._rng
        body = self._block(rng.choice((1, 2, 2, 3)), 2)
        if rng.random() < 0.4:
            return f"while (1) {{\n{body}}}"
        return body

    def _block(self, length: int, depth: int) -> str:
        return "".join(self._piece(depth) + "\n" for _ in range(length))

    def _piece(self, depth: int) -> str:
        rng = self._rng
        if depth == 0 or rng.random() < 0.6:
            return _filled(rng, rng.choice(self._simple))
        text = _filled(rng, rng.choice(AROUND))
        inside = 0 if "lock" in text or "atomic" in text else depth - 1
        while "..." in text:
            text = text.replace("...", self._block(rng.choice((1, 1, 2)), inside).strip(), 1)
        return text


def _filled(rng: Random, text: str) -> str:
    first = rng.choice("xyz")
    second = rng.choice([one for one in "xyz" if one != first])
    text = text.replace("#", first).replace("$", second)
    while "@" in text:
        text = text.replace("@", str(rng.randrange(3)), 1)
    return text
