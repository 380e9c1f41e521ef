"""Searches over letters that drop what `swap` allows find what the search of everything finds."""

from __future__ import annotations

import pytest
from comparison import read
from samples import SHAPES
from swap_reductions import LetterSearch, compare_reductions
from test_swaps import program

from threadproof.independence.orders import ThreadByThread
from threadproof.passes.pipeline import normalise

GUARDED = """#include <pthread.h>
extern void reach_error(void); extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x, y;
void *one(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
void *two(void *p) {
    __VERIFIER_atomic_begin(); __VERIFIER_assume(x > 0); x--; __VERIFIER_atomic_end();
    y = 1; return 0;
}
int main(void) {
    pthread_t s, t; pthread_create(&s, 0, %s, 0); pthread_create(&t, 0, %s, 0);
    pthread_join(s, 0); pthread_join(t, 0); if (y) reach_error(); return 0;
}
"""
ORDERS = [("one", "two"), ("two", "one")]


@pytest.mark.parametrize("seed", [2, 3])
def test_tiny_programs(seed: int) -> None:
    assert compare_reductions(normalise(read(SHAPES["tiny"](seed)))) == []


@pytest.mark.parametrize("name", ["guard", "trap", "block", "locks"])
def test_programs_by_hand(name: str) -> None:
    assert compare_reductions(program(name)) == []


@pytest.mark.parametrize("threads", ORDERS)
def test_the_direction_of_swaps(threads: tuple[str, str]) -> None:
    """The error needs x++ before the guarded x--, whichever thread is preferred."""
    assert compare_reductions(normalise(read(GUARDED % threads))) == []


@pytest.mark.parametrize("name", ["guard", "trap"])
def test_a_wrong_direction_shows(name: str) -> None:
    search = LetterSearch(program(name))
    full = search.run(None)
    right = search.swaps.may_drop
    search.swaps.may_drop = lambda a, b, given=(): right(b, a, given) or name == "trap"  # type: ignore[method-assign]
    threads = [ThreadByThread(search.space.instances), ThreadByThread(search.space.instances[::-1])]
    found = [search.run(order) for order in threads]
    assert any((one.errors, one.ends) != (full.errors, full.ends) for one in found)
