"""Random programs in which two threads change variables through pointers that they change, too."""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
#include <assert.h>
int x, y, *p = &x, **q = &p, *r = &y;
"""
STATEMENTS = (
    "p = &x;",
    "p = &y;",
    "r = p;",
    "q = &r;",
    "*q = &x;",
    "*p = {c};",
    "*r = {c};",
    "**q = {c};",
    "x = *p;",
    "y = x;",
    "x = {c};",
    "if (*p == {c}) y = {d};",
    "if (p == &x) *r = {c};",
    "if (r != p) x = {c};",
    "while (*p == {c}) *p = {d};",
)


def pointer_program(seed: int) -> str:
    rng = Random(seed)
    threads = "".join(_thread(name, rng) for name in ("t0", "t1"))
    wrong = f"{rng.choice(('x', 'y', '*p', '**q'))} {rng.choice(('!=', '=='))} {rng.randrange(4)}"
    wrong += f" {rng.choice(('||', '&&'))} {rng.choice(('x', 'y', '*r'))} {rng.choice(('!=', '<'))} {rng.randrange(3)}"
    main = "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, t0, 0);\n  pthread_create(&b, 0, t1, 0);\n"
    main += f"  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert({wrong});\n  return 0;\n}}\n"
    return HEAD + threads + main


def _thread(name: str, rng: Random) -> str:
    made = (rng.choice(STATEMENTS) for _ in range(rng.randint(2, 4)))
    body = "\n".join("  " + one.format(c=rng.randrange(3), d=rng.randrange(3)) for one in made)
    return f"void *{name}(void *u) {{\n{body}\n  return 0;\n}}\n"
