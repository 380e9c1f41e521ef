"""Random programs about threads: how they are made and end, and what a sequentialization must know about.

Each has one way of making threads (in loops, through tables of functions, from threads, detached) and some topics of
`threaded_topics`; few steps, so that all its states can be listed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from threadproof.dev.programs.threaded_topics import TOPICS, Topic
from threadproof.dev.programs.tiny import PLAIN, Piece, TinyWriter

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int x, y = 1, saw[2];
"""


@dataclass(frozen=True, slots=True)
class TwoThreads:
    """One way of making two threads: `t1` and `t2` stand for their bodies."""

    routines: str
    create: str
    join: str


_FIRST = "void *first_thread(void *arg) {\n    t1\n    return 0;\n}\n"
_SECOND = "void *second_thread(void *arg) {\n    t2\n    return 0;\n}\n"
_CREATE_A = "pthread_create(&thread_a, 0, first_thread, 0);\n"
_CREATE_B = "pthread_create(&thread_b, 0, second_thread, 0);\n"
_CREATE_BOTH = f"pthread_t thread_a, thread_b;\n{_CREATE_A}{_CREATE_B}"
_BOTH = "first_thread, second_thread"
WAYS: dict[str, TwoThreads] = {
    "one by one": TwoThreads(
        _FIRST + _SECOND,
        _CREATE_BOTH,
        "pthread_join(thread_a, 0);\npthread_join(thread_b, 0);",
    ),
    "loop": TwoThreads(
        "void *worker(void *arg) {\n    long me = (long)arg;\n    x += me;\n    t1\n    return 0;\n}\n",
        "pthread_t ids[2];\nfor (long i = 0; i < 2; i++)\n    pthread_create(&ids[i], 0, worker, (void *)i);",
        "for (int i = 0; i < 2; i++)\n    pthread_join(ids[i], 0);",
    ),
    "loop of unknown length": TwoThreads(
        "void *worker(void *arg) {\n    t1\n    return 0;\n}\n",
        "pthread_t ids[2];\nint many = 0;\nwhile (many < 2 && __VERIFIER_nondet_bool())\n"
        "    pthread_create(&ids[many++], 0, worker, 0);",
        "while (many > 0)\n    pthread_join(ids[--many], 0);",
    ),
    "table": TwoThreads(
        f"{_FIRST}{_SECOND}void *(*starts[2])(void *) = {{{_BOTH}}};\n",
        "pthread_t ids[2];\nfor (int i = 0; i < 2; i++)\n    pthread_create(ids + i, 0, starts[i], 0);",
        "pthread_join(ids[1], 0);\npthread_join(ids[0], 0);",
    ),
    "helper": TwoThreads(
        _FIRST
        + _SECOND
        + "pthread_t spawn(void *(*f)(void *)) {\n    pthread_t id;\n    pthread_create(&id, 0, f, 0);\n"
        "    return id;\n}\n",
        "pthread_t thread_a = spawn(first_thread);\npthread_t thread_b = spawn(second_thread);",
        "pthread_join(thread_a, 0);\npthread_join(thread_b, 0);",
    ),
    "results": TwoThreads(
        "struct work { pthread_t id; int from, result; } work[2] = {{.from = 1}, {.from = 2}};\n"
        "void *worker(void *arg) {\n    struct work *w = arg;\n    w->result = x + w->from;\n"
        "    t1\n    return w;\n}\n",
        "for (int i = 0; i < 2; i++)\n    pthread_create(&work[i].id, 0, worker, &work[i]);",
        "void *got;\npthread_join(work[0].id, &got);\nx += ((struct work *)got)->result;\n"
        "pthread_join(work[1].id, &got);\ny = got == &work[1];",
    ),
    "nested": TwoThreads(
        "void *second_thread(void *arg);\nvoid *first_thread(void *arg) {\n    pthread_t thread_b;\n"
        f"    {_CREATE_B}    t1\n    pthread_join(thread_b, 0);\n    return 0;\n}}\n" + _SECOND,
        "pthread_t thread_a;\npthread_create(&thread_a, 0, first_thread, 0);",
        "pthread_join(thread_a, 0);",
    ),
    "generations": TwoThreads(
        "void *worker(void *arg) {\n    long left = (long)arg;\n    pthread_t next;\n    if (left > 0)\n"
        "        pthread_create(&next, 0, worker, (void *)(left - 1));\n    t1\n    if (left > 0)\n"
        "        pthread_join(next, 0);\n    return 0;\n}\n",
        "pthread_t thread_a;\npthread_create(&thread_a, 0, worker, (void *)1);",
        "pthread_join(thread_a, 0);",
    ),
    "detached": TwoThreads(
        _FIRST + _SECOND,
        "pthread_t thread_a, thread_b;\npthread_attr_t attr;\npthread_attr_init(&attr);\n"
        "pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);\n"
        f"{_CREATE_A.replace('0', '&attr', 1)}{_CREATE_B}pthread_detach(thread_b);",
        "if (x == y)\n    pthread_exit(0);",
    ),
    "for ever": TwoThreads(
        "sem_t go;\nvoid *daemon(void *arg) {\n    while (1) {\n        sem_wait(&go);\n    t1\n        x ^= 1;\n"
        "    }\n    return 0;\n}\n" + _SECOND,
        "pthread_t thread_a, thread_b;\nsem_init(&go, 0, 1);\npthread_create(&thread_a, 0, daemon, 0);\n"
        "pthread_create(&thread_b, 0, second_thread, 0);",
        "sem_post(&go);\npthread_join(thread_b, 0);",
    ),
    "main leaves": TwoThreads(
        _FIRST + _SECOND,
        _CREATE_BOTH,
        "pthread_join(thread_a, 0);\nif (x != 1)\n    pthread_exit(0);\npthread_join(thread_b, 0);",
    ),
}


@dataclass(slots=True)
class _Writer(TinyWriter):
    topics: tuple[Topic, ...] = field(default=())
    pick: Callable[[Topic], tuple[Piece, ...]] = field(default=lambda topic: topic.pieces)

    def _pieces(self) -> tuple[Piece, ...]:
        return self.pick(self.rng.choice(self.topics)) if self.rng.random() < 0.75 else PLAIN


def generate_threaded(seed: int, names: tuple[str, ...] = (), way: str = "") -> str:
    """One C program; the topics and the way of making threads may be given."""
    rng = Random(f"threadproof threaded {seed}")
    found = way or rng.choice(sorted(WAYS))
    chosen = names or tuple(rng.sample(sorted(TOPICS), rng.choice((1, 2, 2, 3))))
    topics = tuple(TOPICS[name] for name in TOPICS if name in chosen)
    own = _Writer(rng, (), topics=topics)
    of_threads = _Writer(rng, (), topics=topics, pick=lambda topic: topic.of_threads + topic.pieces)
    threads = WAYS[found]
    routines = threads.routines
    for number, mark in enumerate(("t1", "t2")):
        body = of_threads.body(rng.randint(2, 4))
        body += [f"saw[{number}] = {rng.choice(('x', 'y', '4 * x + y'))};"] if rng.random() < 0.6 else []
        routines = routines.replace(f"    {mark}\n", _indented(body))
    main = [line for topic in topics for line in topic.setup.splitlines()]
    main += threads.create.splitlines()
    main += own.body(rng.choice((0, 0, 1, 2)))
    main += threads.join.splitlines()
    if rng.random() < 0.4:
        main.append(f"assert({rng.choice(('x', 'y', 'x + y'))} {rng.choice(('==', '!=', '!='))} {rng.randint(0, 3)});")
    parts = [HEAD, *(topic.globals for topic in topics), *(topic.functions for topic in topics), routines]
    body = _indented([*main, "return 0;"])
    return "\n".join(part for part in parts if part) + f"int main(void) {{\n{body}}}\n"


def _indented(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)
