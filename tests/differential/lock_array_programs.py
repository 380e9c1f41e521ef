"""Random programs whose threads take locks of arrays by index, try locks, join others, and wait for flags."""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct item { pthread_mutex_t m; int n; } item[3];
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t k = PTHREAD_COND_INITIALIZER, k2 = PTHREAD_COND_INITIALIZER;
int x, go;
unsigned pick(void) { return (unsigned)__VERIFIER_nondet_bool() + (unsigned)__VERIFIER_nondet_bool(); }
void lock_item(unsigned i) { pthread_mutex_lock(&item[i].m); }
void unlock_item(unsigned i) { pthread_mutex_unlock(&item[i].m); }
"""
BEFORE = ("if (i >= j) return 0;", "if (i > j) return 0;", "if (i == j) return 0;", "if (j <= i) return 0;", "")
PAIRS = (("i", "j"), ("i", "j"), ("j", "i"), ("i < j ? i : j", "i < j ? j : i"), ("i", "(i + 1) % 3"), ("i", "i + 1"))


def lock_array_program(seed: int) -> str:
    rng = Random(f"arrays of locks {seed}")
    kind = rng.choice((_arrays, _arrays, _arrays, _tries, _joins, _flags, _flags))
    return HEAD + kind(rng)


def _main(rng: Random, starts: list[str], after: str = "", joined: bool | None = None) -> str:
    text = "int main(void) {\npthread_t h[4];\nfor (int i = 0; i < 3; i++) pthread_mutex_init(&item[i].m, 0);\n"
    text += "".join(f"pthread_create(&h[{n}], 0, {name}, 0);\n" for n, name in enumerate(starts)) + after
    if rng.random() < 0.6 if joined is None else joined:
        text += "".join(f"pthread_join(h[{n}], 0);\n" for n in range(len(starts)))
    return text + "return 0;\n}\n"


def _arrays(rng: Random) -> str:
    text, starts = "", list[str]()
    for n in range(rng.choice((1, 1, 2))):
        body = "unsigned i = pick(), j = pick();\n"
        first, second = rng.choice(PAIRS)
        body += rng.choice(BEFORE) + "\n" + ("if (i == 2) return 0;\n" if second == "i + 1" else "")
        body += f"unsigned p = {first}, q = {second};\n"
        body += "if (p >= q) return 0;\n" if rng.random() < 0.25 else ""
        wrapped = rng.random() < 0.3
        take = "lock_item({});" if wrapped else "pthread_mutex_lock(&item[{}].m);"
        give = "unlock_item({});" if wrapped or rng.random() < 0.1 else "pthread_mutex_unlock(&item[{}].m);"
        gate = rng.random() < 0.2
        lines = ["pthread_mutex_lock(&a);"] * gate + [take.format("p")]
        lines += ["p = q;"] if rng.random() < 0.04 else []
        lines += [take.format("q"), "item[p].n++;", give.format("q"), give.format("p")]
        lines += ["pthread_mutex_unlock(&a);"] * gate
        if rng.random() < 0.15:
            lines += [take.format("i"), "pthread_mutex_lock(&a);", "pthread_mutex_unlock(&a);", give.format("i")]
        if rng.random() < 0.06:
            lines.remove(rng.choice(lines))
        text += f"void *t{n}(void *arg) {{\n{body}{chr(10).join(lines)}\nreturn 0;\n}}\n"
        starts += [f"t{n}"] * rng.choice((1, 2))
    return text + _main(rng, starts if len(starts) > 1 else starts * 2)


def _tries(rng: Random) -> str:
    text, starts = "", list[str]()
    for n in range(rng.choice((1, 2))):
        first, second = rng.sample("ab", 2)
        test = rng.choice(("got == 0", "!got", "got != 0", "got == 16", "got"))
        again = test if rng.random() < 0.8 else rng.choice(("got == 0", "got != 0"))
        inside = (
            f"pthread_mutex_lock(&{second}); x++; pthread_mutex_unlock(&{second});" if rng.random() < 0.5 else "x++;"
        )
        text += f"void *t{n}(void *arg) {{\nint got = pthread_mutex_trylock(&{first});\nif ({test}) {{ {inside} }}\n"
        text += f"if ({again}) pthread_mutex_unlock(&{first});\n" if rng.random() < 0.9 else ""
        later = rng.choice((first, second))
        text += f"pthread_mutex_lock(&{later}); x++; pthread_mutex_unlock(&{later});\n" if rng.random() < 0.7 else ""
        text += "return 0;\n}\n"
        starts += [f"t{n}"] * rng.choice((1, 2))
    return text + _main(rng, starts if len(starts) > 1 else starts * 2)


def _joins(rng: Random) -> str:
    inner, outer, held = rng.choice("ab"), rng.choice("ab"), rng.choice(("", "", "a", "b"))
    text = f"void *leaf(void *arg) {{ pthread_mutex_lock(&{inner}); x++; pthread_mutex_unlock(&{inner}); return 0; }}\n"
    text += "void *t0(void *arg) {\npthread_t y;\npthread_create(&y, 0, leaf, 0);\n"
    text += f"pthread_mutex_lock(&{outer}); x++; pthread_mutex_unlock(&{outer});\n" if rng.random() < 0.5 else ""
    text += f"pthread_mutex_lock(&{held});\n" if held else ""
    text += "pthread_join(y, 0);\n" if rng.random() < 0.9 else ""
    text += f"pthread_mutex_unlock(&{held});\n" if held else ""
    text += "return 0;\n}\n"
    before = rng.choice(("", "", "pthread_mutex_lock(&b);\n"))
    main = _main(rng, ["t0"] * rng.choice((1, 2)), before, joined=True)
    return text + (main.replace("return 0;", "pthread_mutex_unlock(&b);\nreturn 0;") if before else main)


def _flags(rng: Random) -> str:
    check = rng.choice(("while (!go) ", "while (!go) ", "while (go == 0) ", "if (!go) ", "", "while (go != 1) "))
    wait = f"{check}pthread_cond_wait(&k, &a);"
    text = f"void *t0(void *arg) {{\npthread_mutex_lock(&a);\n{wait}\nx++;\npthread_mutex_unlock(&a);\nreturn 0;\n}}\n"
    if rng.random() < 0.2:
        text = text.replace("&a);\nwhile", "&a);\npthread_mutex_unlock(&a);\npthread_mutex_lock(&a);\nwhile")
    if rng.random() < 0.15:
        text = text.replace("pthread_mutex_lock(&a);", "int seen = go; pthread_mutex_lock(&a);", 1).replace(
            "!go", "!seen"
        )
    lock = rng.choice(("a", "a", "a", "b", ""))
    sets = [f"go = {rng.choice((1, 1, 1, 2, 0))};", rng.choice(("pthread_cond_broadcast(&k);",) * 3 + (
        "pthread_cond_signal(&k);", "pthread_cond_broadcast(&k2);"))]  # fmt: skip
    if rng.random() < 0.15:
        sets.reverse()
    if rng.random() < 0.1:
        sets = sets[:1]
    lines = [f"pthread_mutex_lock(&{lock});"] * bool(lock) + sets
    lines.insert(rng.choice((len(lines), len(lines) - 1)), f"pthread_mutex_unlock(&{lock});" if lock else "")
    after = "\n".join(lines) + "\n"
    if rng.random() < 0.15:
        after += "pthread_mutex_lock(&a); go = 0; pthread_mutex_unlock(&a);\n"
    if rng.random() < 0.2:
        text += f"void *s(void *arg) {{\n{after}return 0;\n}}\n"
        return text + _main(rng, ["t0", "s"], joined=True)
    if rng.random() < 0.15:
        after = f"if (__VERIFIER_nondet_bool()) {{\n{after}}}\n"
    return text + _main(rng, ["t0"] * rng.choice((1, 2)), after, joined=True)
