"""Random programs with list nodes that a loop allocates, which two threads change, hand around and free."""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node {{ int v; struct node *next; }};
struct node *head, *other;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
STATEMENTS = (
    "head->v = {c};",
    "if (head->next) head->next->v = {c};",
    "if (head->next) other = head->next;",
    "if (other) other->v = {c};",
    "if (other) other->v = head->v;",
    "other = head;",
    "if (other == head) head->v = {c};",
    "if (head->next) head = head->next;",
    "if (other && other != head) head->next = other->next;",
    "if (head->v == {c}) other = 0;",
    "if (other && other != head && head->next != other) {{ free(other); other = 0; }}",
)


def node_program(seed: int) -> str:
    rng = Random(seed)
    threads = "".join(_thread(name, rng) for name in ("t0", "t1"))
    often = rng.choice((1, 2, 2, 3, 3, 4))
    wrong = f"head->v {rng.choice(('!=', '=='))} {rng.randrange(4)}"
    wrong += f" {rng.choice(('||', '&&'))} {rng.choice(('head == other', 'head->next == 0', '!other || other->v < 2'))}"
    make = "struct node *p = malloc(sizeof *p); p->v = i; p->next = head; head = p;"
    main = f"int main(void) {{\n  pthread_t a, b;\n  for (int i = 0; i < {often}; i++) {{ {make} }}\n"
    main += "  pthread_create(&a, 0, t0, 0);\n  pthread_create(&b, 0, t1, 0);\n"
    main += f"  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert({wrong});\n  return 0;\n}}\n"
    return HEAD.format() + threads + main


def _thread(name: str, rng: Random) -> str:
    made = (rng.choice(STATEMENTS).format(c=rng.randrange(3)) for _ in range(rng.randint(1, 3)))
    body = "\n".join(f"  {{ pthread_mutex_lock(&m); {one} pthread_mutex_unlock(&m); }}" for one in made)
    return f"void *{name}(void *u) {{\n{body}\n  return 0;\n}}\n"
