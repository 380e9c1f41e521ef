"""Random programs in which threads that do the same are joined on some paths, in some order, and main looks in between.

    PYTHONPATH=src python tests/differential/joined_programs.py FIRST LAST

asks `bmc` and `explicit` about each; the last line counts programs and contradictions.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from agreement import Question, questions

from threadproof.ir.program import DataModel

ENGINES = ("bmc", "explicit")
ROUTINES = (
    "__sync_fetch_and_add(&x, 1);",
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "int old = __sync_fetch_and_add(&x, 1); if (old == 1) y = 1;",
    "if (y) __sync_fetch_and_add(&x, 2); else __sync_fetch_and_add(&x, 1);",
)
CONDITIONS = ("c", "d", "c && d", "!c", "y", "!d", "seen == 1")


def source(seed: int) -> str:
    draw = random.Random(seed)
    threads = draw.choice((2, 2, 3))
    lines = [f"pthread_create(&t[{i}], 0, work, 0);" for i in range(threads)]
    if draw.random() < 0.2:
        lines.insert(draw.randrange(1, len(lines)), "if (c) y = 1;")
    rest = list(range(threads))
    draw.shuffle(rest)
    for i in rest:
        join = f"pthread_join(t[{i}], 0);"
        kind = draw.random()
        if kind < 0.45:
            lines.append(f"if ({draw.choice(CONDITIONS)}) {join}")
        elif kind < 0.8:
            lines.append(join)
        if draw.random() < 0.5:
            lines.append("seen = x;")
    where = draw.choice(("c", "!d", "c && !d", "1"))
    lines.append(f"int last = x; if ({where} && {draw.choice(WRONG)}) reach_error();")
    return "\n".join((*HEAD, "  " + draw.choice(ROUTINES), "  return 0;", "}", *MAIN, *lines, "return 0;", "}", ""))


WRONG = ("last == 1", "last == 0", "last == 2 && seen == 1", "seen > last", "last < 2")
HEAD = (
    "#include <pthread.h>",
    "extern void reach_error(void);",
    "extern _Bool __VERIFIER_nondet_bool(void);",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    "int x, y;",
    "void *work(void *arg) {",
)
MAIN = (
    "int main(void) {",
    "pthread_t t[3]; int seen = 0; _Bool c = __VERIFIER_nondet_bool(), d = __VERIFIER_nondet_bool();",
)


def compared(seed: int) -> Iterator[Question]:
    return questions(source(seed), DataModel.LP64, 5.0, ENGINES)


def main() -> int:
    first, last = map(int, sys.argv[1:])
    wrong = answered = 0
    for seed in range(first, last):
        for question in compared(seed):
            answered += len(question.answers) > 1
            if question.contradictions:
                wrong += 1
                print(f"--- seed {seed}", *question.contradictions, source(seed), sep="\n", flush=True)
    print(f"{last - first} programs, {answered} questions answered by both, {wrong} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
