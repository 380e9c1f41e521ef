"""Random programs with unbounded loops over small domains: every variable is 0, 1 or 2, so that all states can be
listed."""

from __future__ import annotations

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
PLAIN_AROUND = AROUND[:1]  # inside sections and atomic blocks


def loop_program(seed: int) -> str:
    rng = Random(seed)
    threads = rng.choice((1, 2, 2, 2))
    bodies = [_thread(rng) for _ in range(threads)]
    text = HEAD
    for number, body in enumerate(bodies):
        text += f"void *t{number}(void *arg) {{\n{body}\nreturn 0;\n}}\n"
    started = list(range(threads)) + ([rng.randrange(threads)] if rng.random() < 0.2 else [])
    text += "int main(void) {\n" + (_block(rng, 2, 1) if rng.random() < 0.3 else "")
    text += "".join(f"pthread_t h{n};\npthread_create(&h{n}, 0, t{body}, 0);\n" for n, body in enumerate(started))
    text += _block(rng, rng.choice((0, 1, 2)), 1)
    if rng.random() < 0.5:
        text += "".join(f"pthread_join(h{n}, 0);\n" for n in range(len(started))) + _filled(
            rng, rng.choice(SIMPLE[-2:])
        )
    return text + "\nreturn 0;\n}\n"


def _thread(rng: Random) -> str:
    body = _block(rng, rng.choice((1, 2, 2, 3)), 2)
    if rng.random() < 0.4:
        return f"while (1) {{\n{body}}}"
    return body


def _block(rng: Random, length: int, depth: int) -> str:
    return "".join(_piece(rng, depth) + "\n" for _ in range(length))


def _piece(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.6:
        return _filled(rng, rng.choice(SIMPLE))
    text = _filled(rng, rng.choice(AROUND))
    inside = 0 if "lock" in text or "atomic" in text else depth - 1
    while "..." in text:
        text = text.replace("...", _block(rng, rng.choice((1, 1, 2)), inside).strip(), 1)
    return text


def _filled(rng: Random, text: str) -> str:
    first = rng.choice("xyz")
    second = rng.choice([one for one in "xyz" if one != first])
    text = text.replace("#", first).replace("$", second)
    while "@" in text:
        text = text.replace("@", str(rng.randrange(3)), 1)
    return text
