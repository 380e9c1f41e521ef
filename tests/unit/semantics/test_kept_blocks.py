"""Which programs show by their text that no block is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare
from threadproof.semantics.kept_blocks import keeps_blocks

HEAD = """
#include <stdlib.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int *kept, *other; int number;
static int *made(int n) {
    int *a = malloc(4 * n);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    return a;
}
static void assume(int c) { if (!c) abort(); }
"""
KEPT = {
    "published at once": "int main(void) { kept = malloc(4); return 0; }",
    "returned, then published": "int main(void) { kept = made(3); assume(number); other = made(4); return kept[0]; }",
    "read by threads": """
        void *f(void *p) { return (void *)(long)kept[0]; }
        int main(void) { pthread_t t; kept = made(1); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }""",
    "freed at once": "int main(void) { int *p = malloc(4); free(p); return 0; }",
    "the thread may end before and after": """
        static void leave(void) { if (number) pthread_exit(0); }
        void *f(void *p) { leave(); int *q = malloc(4); free(q); leave(); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }""",
    "no block": "int main(void) { return number; }",
}
PERHAPS_LOST = {
    "kept by nobody": "int main(void) { malloc(4); return 0; }",
    "a local of main": "int main(void) { int *p = malloc(4); assume(number); return *p; }",
    "overwritten": "int main(void) { kept = malloc(4); kept = 0; return 0; }",
    "overwritten by the next": "int main(void) { kept = malloc(4); kept = malloc(8); return 0; }",
    "published in a loop": "int main(void) { for (int i = 0; i < 3; i++) kept = malloc(4); return 0; }",
    "made in a loop, the last one published": """
        int main(void) { int *p = 0; for (int i = 0; i < 3; i++) p = malloc(4); kept = p; return 0; }""",
    "published on one of two ways": "int main(void) { int *p = malloc(4); if (number) kept = p; return 0; }",
    "overwritten through a pointer": """
        int main(void) { int **p = &kept; kept = malloc(4); if (number) p = &other; *p = 0; return 0; }""",
    "overwritten by a thread": """
        void *f(void *p) { kept = 0; return 0; }
        int main(void) { pthread_t t; kept = malloc(4); pthread_create(&t, 0, f, 0); return 0; }""",
    "published by a thread": """
        void *f(void *p) { kept = malloc(4); return 0; }
        int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); return 0; }""",
    "aborted before it is published": "int main(void) { int *p = malloc(4); if (number) abort(); kept = p; return 0; }",
    "changed before it is published": "int main(void) { char *p = malloc(4); kept = (int *)(p + number); return 0; }",
    "its lower half is overwritten": """
        int main(void) { kept = malloc(4); *(short *)&kept = 0; return 0; }""",
    "main calls itself": "int main(void) { kept = malloc(4); if (number) { number = 0; main(); } return 0; }",
    "the thread ends before it is published": """
        static void leave(void) { if (number) pthread_exit(0); }
        int main(void) { int *p = malloc(4); leave(); kept = p; return 0; }""",
    "the thread ends in a function that a pointer names": """
        static void leave(void) { if (number) pthread_exit(0); } void (*way)(void) = leave;
        int main(void) { int *p = malloc(4); way(); kept = p; return 0; }""",
    "the thread ends before it is returned": """
        static void leave(void) { if (number) pthread_exit(0); }
        static int *block(void) { int *p = malloc(4); leave(); return p; }
        int main(void) { kept = block(); return 0; }""",
    "the thread ends before it is freed": """
        static void leave(void) { if (number) pthread_exit(0); }
        void *f(void *p) { int *q = malloc(4); leave(); free(q); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }""",
    "the thread is cancelled": """
        void *f(void *p) { int *q = malloc(4); pthread_testcancel(); free(q); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_cancel(t); return 0; }""",
    "a field of a block that is kept": """
        struct node { struct node *next; }; struct node *first;
        int main(void) { first = malloc(8); first->next = malloc(8); return 0; }""",
}


def kept(folder: Path, text: str) -> bool:
    """As it is looked at for the property: with locals in memory."""
    file = folder / "main.c"
    file.write_text(HEAD + text, encoding="utf-8")
    return keeps_blocks(prepare([str(file)], Property.VALID_MEMSAFETY, FrontendOptions()))


@pytest.mark.parametrize("name", KEPT)
def test_blocks_that_are_kept(name: str, tmp_path: Path) -> None:
    assert kept(tmp_path, KEPT[name])


@pytest.mark.parametrize("name", PERHAPS_LOST)
def test_blocks_that_may_be_lost(name: str, tmp_path: Path) -> None:
    assert not kept(tmp_path, PERHAPS_LOST[name])
