"""Random programs whose threads mean to exclude each other without a lock, over small domains: tickets for any number
of threads, and turns of two. Each line is right mostly."""

from __future__ import annotations

from random import Random

HEAD = """#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int next, serving, wants[2], turn, inside, x;
"""
INSIDE = (
    "inside = 1; assert(inside == 1); inside = 0;",
    "inside++; assert(inside == 1); inside--;",
    "x = NUMBER; assert(x == NUMBER);",
    "int old = x; x = (old + 1) % 3; assert(x != old);",
)
DRAW = (
    "__VERIFIER_atomic_begin(); __VERIFIER_assume(next != 3); mine = next; next = next + 1; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); if (next < 3) { mine = next; next++; } else mine = -1; __VERIFIER_atomic_end();\n"
    "if (mine < 0) return 0;",
)
WRONG_DRAW = (
    "__VERIFIER_assume(next != 3); mine = next; next = mine + 1;",
    "__VERIFIER_atomic_begin(); mine = next; next = (next + 1) % 3; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); mine = next; if (next < 3) next++; __VERIFIER_atomic_end();",
)
WAIT = ("while (serving != mine) ;", "while (serving < mine) ;", "__VERIFIER_assume(serving == mine);")
WRONG_WAIT = ("", "while (serving > mine) ;", "if (serving != mine) __VERIFIER_assume(serving > mine);")
LEAVE = ("serving = mine + 1;", "__VERIFIER_atomic_begin(); serving++; __VERIFIER_atomic_end();", "serving++;")
TURNS = (
    ("wants[I] = 1;", "turn = J;"),
    ("while (wants[J] && turn == J) ;", "while (wants[J]) if (turn != J) break;"),
)
WRONG_WAITS = ("while (wants[J]) ;", "while (turn == J) ;", "")


def tickets_program(seed: int) -> str:
    """Any number of threads, with `CREATE` between the loop and the creation; now and then main is one of them."""
    rng = Random(f"tickets {seed}")
    inside = rng.choice(INSIDE).replace("NUMBER", "mine")
    lines = [rng.choice(DRAW if rng.random() < 0.8 else WRONG_DRAW)]
    lines.append(rng.choice(WAIT if rng.random() < 0.8 else WRONG_WAIT))
    leave = [rng.choice(LEAVE)]
    lines += [*leave, inside] if rng.random() < 0.15 else [inside, *leave]
    body = "\n".join(lines)
    last = "t(0);\n" if rng.random() < 0.3 else ""
    return (
        f"{HEAD}void *t(void *arg) {{\nint mine;\n{body}\nreturn 0;\n}}\nint main(void) {{\npthread_t h;\n"
        f"while (__VERIFIER_nondet_bool()) CREATE pthread_create(&h, 0, t, 0);\n{last}return 0;\n}}\n"
    )


def turns_program(seed: int) -> str:
    """Two threads, main one of them now and then."""
    rng = Random(f"turns {seed}")
    inside, wait = rng.choice(INSIDE), rng.choice(TURNS[1] if rng.random() < 0.8 else WRONG_WAITS)
    text = HEAD
    for number in (0, 1):
        begin = [line for line in TURNS[0] if rng.random() < 0.9]
        begin = begin[::-1] if rng.random() < 0.15 else begin
        lines = [*begin, wait, inside.replace("NUMBER", str(number))]
        lines += ["wants[I] = 0;"] if rng.random() < 0.9 else []
        body = "\n".join(lines).replace("I", str(number)).replace("J", str(1 - number))
        loop = "while (__VERIFIER_nondet_bool())" if rng.random() < 0.7 else ""
        text += f"void *t{number}(void *arg) {{\n{loop} {{\n{body}\n}}\nreturn 0;\n}}\n"
    second = "t1(0);" if rng.random() < 0.3 else "pthread_create(&h, 0, t1, 0);"
    return f"{text}int main(void) {{\npthread_t h;\npthread_create(&h, 0, t0, 0);\n{second}\nreturn 0;\n}}\n"
