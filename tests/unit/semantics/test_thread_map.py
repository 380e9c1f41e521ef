"""Thousands of threads are kept in blocks; few of them in a dictionary."""

from __future__ import annotations

from threadproof.semantics.state import Pending, Phase, Thread
from threadproof.semantics.thread_map import BLOCK, FEW, ManyThreads, ThreadMap, perhaps_changed, with_thread


def thread(number: int, children: int = 0) -> Thread:
    return Thread((number,), (), Phase.RUNNING, Pending.LOCAL, (), 0, (), 0, children)


def test_the_same_as_a_dictionary() -> None:
    plain: dict[int, Thread] = {}
    threads: ThreadMap = {}
    for number in range(1, 4 * FEW, 2):
        plain[number] = thread(number)
        threads = with_thread(threads, number, thread(number))
    assert isinstance(threads, ManyThreads)
    assert threads == plain
    assert len(threads) == len(plain)
    assert list(threads) == list(plain)
    assert 2 not in threads
    assert threads.get(2) is None


def test_what_was_there_before_stays() -> None:
    before: ThreadMap = ManyThreads.of({number: thread(number) for number in range(FEW)})
    after = with_thread(before, 7, thread(7, children=3))
    assert after[7].children == 3
    assert before[7].children == 0
    assert len(after) == len(before)


def test_who_may_have_changed_is_told_without_looking_at_all() -> None:
    before: ThreadMap = ManyThreads.of({number: thread(number) for number in range(8 * BLOCK)})
    after = with_thread(before, 7, thread(7, children=3))
    looked_at = dict(perhaps_changed(before, after))
    assert looked_at[7] is after[7]
    assert len(looked_at) <= BLOCK
    assert not dict(perhaps_changed(after, after))


def test_of_few_threads_all_may_have_changed() -> None:
    few: ThreadMap = {1: thread(1), 2: thread(2)}
    assert dict(perhaps_changed(few, few)) == few
    assert len(dict(perhaps_changed(few, ManyThreads.of(few)))) == 2
