"""Random small programs that hand heap blocks around: globals, locals of main, results, data of threads.

python tests/differential/heap_programs.py 0 300

compares the native search with the reference and with itself under every reduction.
"""

from __future__ import annotations

import sys
from random import Random

HEAD = """#include <pthread.h>
#include <stdlib.h>
int *g, *h, **box; int x;
struct __attribute__((packed)) { char c; int *p; } packed;
_Thread_local int *own;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
extern void __VERIFIER_assume(int), reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
"""
PIECES = (
    "g = malloc(4);", "h = g;", "g = h;", "g = 0;", "h = 0;", "p = malloc(4);", "g = p;", "p = g;", "p = 0;", "x = 1;",
    "own = p;", "p = own;", "packed.p = p;", "p = packed.p;", "packed.p = 0;", "free(p); p = 0;", "free(g); g = 0;",
    "pthread_setspecific(key, p);", "p = pthread_getspecific(key);",
    "pthread_mutex_lock(&m); h = p; pthread_mutex_unlock(&m);",
    "__VERIFIER_atomic_begin(); if (!g) g = malloc(4); __VERIFIER_atomic_end();", "g = h ? h + 1 : 0;",
    "__VERIFIER_assume(x);", "if (!x) reach_error();", "if (!box) box = malloc(8); *box = 0;", "if (box) *box = p;",
    "if (x) exit(0);", "p = calloc(2, 4);", "p = realloc(p, 8);", "p = malloc(0);", "if (x) p = malloc(4) ;",
    "__VERIFIER_atomic_begin(); int *q = malloc(4); q = 0; __VERIFIER_assume(x); __VERIFIER_atomic_end();",
)  # fmt: skip


def generate_heap(seed: int) -> str:
    random = Random(f"heap {seed}")
    body = " ".join(random.sample(PIECES, random.randint(1, 4)))
    other = " ".join(random.sample(PIECES, random.randint(0, 3)))
    mine = " ".join(random.sample(PIECES, random.randint(0, 3)))
    argument = random.choice(("0", "&local", "local"))
    result = random.choice(("0", "p"))
    take = random.choice(("int *p = 0;", "int *p = 0;", "int *p = arg && x ? *(int **)arg : 0;"))
    if argument == "local":
        take = random.choice(("int *p = arg;", "int *p = 0;"))
    join = random.choice(("pthread_join(t, 0);", "pthread_join(t, (void **)&p);", "", "pthread_detach(t);"))
    end = random.choice(("return 0;", "return 0;", "exit(0);", "pthread_exit(0);", "free(local); return 0;"))
    two = random.random() < 0.4
    second = f"void *two(void *arg) {{ {take} {other} return 0; }}\n" if two else ""
    start_second = f"pthread_t u; pthread_create(&u, 0, two, {argument});" if two else ""
    return (
        f"{HEAD}void *one(void *arg) {{ {take} {body} return {result}; }}\n{second}"
        f"int main(void) {{ int *local = malloc(4), *p = 0; pthread_key_create(&key, 0);\n"
        f"  pthread_t t; pthread_create(&t, 0, one, {argument}); {start_second}\n"
        f"  {mine} {join} {'pthread_join(u, 0);' if two and random.random() < 0.6 else ''} {end} }}\n"
    )


def main() -> int:
    from native_leaks import differences

    found = 0
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        for difference in differences(generate_heap(seed)):
            found += 1
            print(f"--- seed {seed}: {difference}\n{generate_heap(seed)}", flush=True)
    print(f"{found} differences")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
