"""Jumps that must not be taken for others: each case alone, since one program with all is unknown for any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.api import verify

_HEAD = """#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
jmp_buf place, copy;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_t t;
pthread_key_t key;
static int set(void) { return setjmp(place); }
static void jump(void) { longjmp(place, 1); }
static void destroy(void *value) { jump(); }
static void *other(void *arg) { jump(); return 0; }
static void *ends(void *arg) { pthread_setspecific(key, &key); if (!setjmp(place)) pthread_exit(0); return 0; }
"""
_UNDEFINED = "undefined behaviour: call with the wrong arguments"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("set(); jump();", _UNDEFINED),
        ("set(); *copy = *place; set(); longjmp(copy, 1);", _UNDEFINED),
        ("if (!setjmp(place)) { pthread_create(&t, 0, other, 0); pthread_join(t, 0); }", _UNDEFINED),
        ("pthread_key_create(&key, destroy); pthread_create(&t, 0, ends, 0); pthread_join(t, 0);", _UNDEFINED),
        ("if (!setjmp(place)) pthread_once(&once, jump);", "a function that pthread_once calls"),
        ("if (!setjmp(place)) { atexit(jump); exit(0); }", "a function that exit calls"),
        ("if (!setjmp(place)) jump(); pthread_cancel(pthread_self());", "cancels threads"),
        ("if (set()) jump(); int a[set() + 1]; *a = setjmp(place); if (!*a) jump(); return *a;", "variable length"),
    ],
)
def test_undefined_and_unsupported_jumps(tmp_path: Path, body: str, reason: str) -> None:
    file = tmp_path / "main.c"
    file.write_text(f"{_HEAD}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    (answer,) = verify(str(file), engine="explicit", timeout=900)
    assert answer.verdict.value == "unknown"
    assert reason in answer.reason
