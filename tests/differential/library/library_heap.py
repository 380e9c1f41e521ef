"""The heap, sorting, searching."""

from __future__ import annotations

import random

from library_case import Case
from library_values import attacked, safe, spread, unsafe

ORDER = "static int order@(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }"
REALLOC = "char *p = malloc($n); memset(p, 65, $n); char *q = realloc(p, $m); obs(q != 0); obs_bytes(q, $k); free(q);"


def cases(rng: random.Random) -> list[Case]:
    found = spread(
        rng, "malloc", "char *p = malloc($n); memset(p, 7, $n); obs_bytes(p, $n); free(p);", n=(1, 2, 8, 15, 16, 33)
    )
    found += spread(rng, "calloc", "char *p = calloc($n, $m); obs_bytes(p, $n * $m); free(p);", n=(1, 3), m=(1, 4, 9))
    found += spread(rng, "realloc", REALLOC, n=(4, 8), m=(4, 16), k=(4,))
    found += spread(
        rng, "reallocarray", REALLOC.replace("realloc(p, $m)", "reallocarray(p, $m, 2)"), n=(4, 8), m=(4, 8), k=(4,)
    )
    found += safe("realloc", "char *p = realloc(0, 4); memset(p, 1, 4); obs_bytes(p, 4); free(p);")
    found += safe(
        "free", "free(0); obs(1);", "char *p = malloc(1); free(p); obs(1);", "errno = 3; free(malloc(4)); obs(errno);"
    )
    align = "void *p = {}; obs(p != 0); obs((uintptr_t)p % 16); free(p);"
    found += safe("aligned_alloc", align.format("aligned_alloc(16, 32)"), align.format("aligned_alloc(8, 8)"))
    found += safe("memalign", align.format("memalign(16, 32)"), align.format("memalign(8, 8)"))
    found += spread(rng, "posix_memalign", "void *p = &p; int e = posix_memalign(&p, $a, 8); obs(e); if (!e) free(p);",
                    a=(0, 3, 4, 8, 16, 12, 24))  # fmt: skip
    found += attacked("posix_memalign", "", ("0", "16", "8"), (0,))
    found += safe("calloc", "errno = 0; void *p = calloc(SIZE_MAX / 2, 3); obs(p == 0); obs(errno);")
    found += safe("reallocarray", "errno = 0; void *p = reallocarray(0, SIZE_MAX / 2, 3); obs(p == 0); obs(errno);")
    return found + _errors() + _sorted(rng)


def _errors() -> list[Case]:
    block = "int *p = malloc(8); p[0] = p[1] = 1;"
    found = unsafe(
        "malloc",
        f"{block} p[2] = 1;",
        f"{block} obs(p[-1]);",
        f"{block} free(p); obs(p[0]);",
        "obs(*(char *)malloc(0));",
    )
    found += unsafe("free", f"{block} free(p); free(p);", f"{block} free(p + 1);", "int x; free(&x);", "static int x; free(&x);",
                    'free("abc");', "free((void *)64);")  # fmt: skip
    found += unsafe("realloc", f"{block} p = realloc(p, 4); obs(p[1]);", f"{block} int *q = realloc(p, 64); obs(p[0]);",
                    f"{block} free(p); p = realloc(p, 64);", "int x; realloc(&x, 4);", f"{block} realloc(p + 1, 16);")  # fmt: skip
    found += unsafe("reallocarray", f"{block} free(p); p = reallocarray(p, 4, 4);")
    return found + unsafe("calloc", "int *p = calloc(2, 4); obs(p[2]);", "int *p = calloc(2, 4); free(p); p[0] = 1;")


def _sorted(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    for _ in range(12):
        numbers = [rng.randrange(-99, 100) for _ in range(rng.randrange(1, 7))]
        listed = ", ".join(map(str, numbers))
        body = f"int a[] = {{{listed}}}; qsort(a, {len(numbers)}, sizeof *a, order@); obs_bytes(a, sizeof a);"
        found.append(Case("qsort", body, ORDER))
        ascending = sorted(set(numbers))
        key = rng.choice([*ascending, 5, -200, 200])
        listed = ", ".join(map(str, ascending))
        body = f"int a[] = {{{listed}}}, k = {key}; obs_at(bsearch(&k, a, {len(ascending)}, sizeof *a, order@), a);"
        found.append(Case("bsearch", body, ORDER))
    found += [
        Case("qsort", "qsort(0, 0, 4, order@); obs(1);", ORDER),
        Case("bsearch", "int k = 1; obs_at(bsearch(&k, 0, 0, 4, order@), &k);", ORDER),
    ]
    linear = "int a[] = {4, 2, 9}, k = $k; size_t n = 3; obs_at($f(&k, a, &n, sizeof *a, order@), a); obs(n);"
    return found + spread(rng, "lfind", linear, top=ORDER, k=(2, 9, 7), f=("lfind",))
