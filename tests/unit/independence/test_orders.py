"""Preference orders are total, few-stated and independent of what else is enabled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, permutations
from random import Random

import pytest
from two_threads import TwoThreads

from threadproof.automaton import Instance, Letter, Location
from threadproof.independence import InstanceLetter
from threadproof.independence.orders import (
    LetterRoundRobin,
    LoopLockstep,
    PreferenceOrder,
    RandomOrder,
    ThreadByThread,
    is_compatible,
    loop_heads,
    orders,
)

LOOP = "for (int i = 0; i < 3; i++) { x++; y++; }"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> TwoThreads:
    return TwoThreads(tmp_path_factory.mktemp("orders") / "main.c", "int x, y;", LOOP, "x = 1; " + LOOP)


Walk = Callable[..., list[InstanceLetter]]


@pytest.fixture
def walk(one: TwoThreads) -> Walk:
    """The letters that an order prefers, from the moment when all threads run."""

    def follow(order: PreferenceOrder, steps: int, way: int = 0) -> list[InstanceLetter]:
        at = {Instance(name, 0): one.automaton.templates[name].entry for name in ("one", "two")}

        def ways(who: Instance, location: Location) -> tuple[Letter, ...]:
            found = one.automaton.templates[who.template].letters_from(location)
            return found[way:][:1] or found[:1]

        memory, word = order.start, list[InstanceLetter]()
        for _ in range(steps):
            enabled = [InstanceLetter(who, letter) for who, location in at.items() for letter in ways(who, location)]
            if not enabled:
                break
            letter = order.order(memory, enabled)[0]
            memory = order.next(memory, letter)
            at[letter.instance] = letter.letter.target
            word.append(letter)
        return word

    return follow


THREADS = (Instance("main", 0), Instance("one", 0), Instance("two", 0))


@pytest.mark.parametrize("way", [0, 1])
def test_thread_by_thread(walk: Walk, way: int) -> None:
    names = [letter.instance.template for letter in walk(ThreadByThread(THREADS), 30, way)]
    assert names == sorted(names)
    back = [letter.instance.template for letter in walk(ThreadByThread(THREADS[::-1]), 30, way)]
    assert back[0] == "two"


def test_round_robin_takes_turns(walk: Walk) -> None:
    names = [letter.instance.template for letter in walk(LetterRoundRobin(THREADS), 6)]
    assert names == ["one", "two"] * 3


def test_loop_lockstep_changes_threads_at_loop_heads_only(one: TwoThreads, walk: Walk) -> None:
    heads = loop_heads(one.automaton)
    word = walk(LoopLockstep(THREADS, heads), 12)
    assert {letter.instance for letter in word} == set(THREADS[1:])
    for before, after in pairwise(word):
        changed = before.instance != after.instance
        ended = not one.automaton.templates[before.instance.template].letters_from(before.letter.target)
        assert changed <= (before.letter.target in heads or ended)


def test_the_next_thread_of_a_group_goes_on_where_the_last_one_ended(one: TwoThreads) -> None:
    """Coming to its first loop is nobody's turn, but for the first thread of a group."""
    threads = (*THREADS[:2], Instance("one", 1), THREADS[2])
    order = orders(one.automaton, threads)["lockstep of one#1 then two and one"]
    first, second = Instance("one", 1), Instance("two", 0)
    heads = loop_heads(one.automaton)

    def letters(who: Instance) -> list[InstanceLetter]:
        """To the loop, and round it."""
        thread, found, at = one.automaton.templates[who.template], list[InstanceLetter](), 0
        location = thread.entry
        while at < 2:
            found.append(InstanceLetter(who, thread.letters_from(location)[0]))
            location = found[-1].letter.target
            at += location in heads
        return found

    def turns(who: Instance) -> list[bool]:
        """Whether it is still this group's, behind each letter that leads to a loop head."""
        memory, still = (1, 0, 0), list[bool]()
        for letter in letters(who):
            memory = order.next(memory, letter)
            if letter.letter.target in heads:
                still.append(memory in ((1, 0, 0), (1, 0, 1)))
                memory = (1, 0, 0)
        return still

    assert turns(first) == [False, False]
    assert turns(second) == [True, False]


def test_who_has_begun_a_round_ends_it_before_others_of_the_group(one: TwoThreads) -> None:
    threads = (*THREADS[:2], Instance("one", 1), THREADS[2])
    order = orders(one.automaton, threads)["lockstep of one#1 then two and one"]
    mine, others = (InstanceLetter(who, one.automaton.templates[who.template].letters[0]) for who in threads[2:])
    assert order.order((1, 0, 0), [others, mine]) == [mine, others]
    assert order.order((1, 0, 1), [mine, others]) == [others, mine]


def test_random_orders_differ_by_seed_and_repeat(walk: Walk) -> None:
    words = [tuple(map(str, walk(RandomOrder(seed), 12))) for seed in range(6)]
    assert len(set(words)) > 1
    assert words[0] == tuple(map(str, walk(RandomOrder(0), 12)))


def test_every_memory_has_one_total_order(one: TwoThreads) -> None:
    letters = [
        InstanceLetter(Instance(name, number), letter)
        for name in ("one", "two")
        for number in (0, 1)
        for letter in one.automaton.templates[name].letters[:3]
    ]
    for name, order in orders(one.automaton, THREADS).items():
        rng, memory, memories = Random(1), order.start, set[object]()
        for _ in range(60):
            memories.add(memory)
            whole = order.order(memory, letters)
            some = rng.sample(letters, 5)
            assert order.order(memory, some) == [letter for letter in whole if letter in some], name
            memory = order.next(memory, rng.choice(letters))
        assert len(memories) <= 7, name


def test_compatible_sets_are_beginnings(one: TwoThreads) -> None:
    letters = [InstanceLetter(who, one.automaton.templates[who.template].letters[0]) for who in THREADS]
    for chosen in permutations(letters, 2):
        assert is_compatible(chosen, letters) == (set(chosen) == set(letters[:2]))
