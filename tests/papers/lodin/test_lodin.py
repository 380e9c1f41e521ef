"""The paper's tables: quick rows always, all of it with `pytest -m slow`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from threadproof.dev.lodin import TABLE_1, LodinRow, experiments, fib_levels, fibonacci, measure, table_2

FOLDER = Path(__file__).parent
QUICK = ("fib_4", "fib_8", "petersonsBug", "petersons", "stack")
PAPER = {"gossip_2": (0.33, 0.34), "gossip_3": (0.09, 0.10), "gossip_4": (0.05, 0.06), "petersonsBug": (0.07, 0.08)}


def _agrees(row: LodinRow) -> None:
    made = measure(row, FOLDER, seed=1)
    if row.truth is not None:
        slack = 0.2 * (made.high - made.low)  # a 95 % interval misses now and then: not by much
        assert made.low - slack <= row.truth <= made.high + slack
    if row.name in PAPER:
        low, high = PAPER[row.name]
        assert made.low <= high
        assert made.high >= low


@pytest.mark.parametrize("row", [row for row in TABLE_1 if row.name in QUICK], ids=lambda row: row.name)
def test_table_1_quick(row: LodinRow):
    _agrees(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in TABLE_1 if row.name not in QUICK], ids=lambda row: row.name)
def test_table_1(row: LodinRow):
    _agrees(row)


def _states(additions: int, rng: Random) -> list[tuple[int, int, int]]:
    """i, j and the number of additions along a run of fib.c: of the twelve steps of a round, two matter to others."""
    value, read, at, made = [1, 1], [0, 0], [0, 0], [0, 0]
    states = [(1, 1, 0)]
    while min(made) < additions:
        one = rng.randrange(2) if max(made) < additions else made.index(min(made))
        if at[one] == 3:
            read[one] = value[1 - one]
        elif at[one] == 6:
            value[one] += read[one]
        elif at[one] == 10:
            made[one] += 1
        at[one] = (at[one] + 1) % 12
        states.append((value[0], value[1], sum(made)))
    return states


def test_nearly_all_runs_that_succeed_pass_the_levels():
    assert [fibonacci(n) for n in range(7)] == [0, 1, 1, 2, 3, 5, 8]
    additions, rng = 6, Random(1)
    levels = [
        eval("lambda i, j, n: " + text.replace("t1::k + t2::k", "n").replace("||", "or").replace("&&", "and"))
        for text in fib_levels(2 * additions)[:-1]
    ]
    target, passed, successes = fibonacci(2 * additions), 0, 0
    for _ in range(10_000):
        states = _states(additions, rng)
        if target in states[-1][:2]:
            successes += 1
            passed += all(any(level(*state) for state in states) for level in levels)
    assert successes > 50
    assert passed >= 0.95 * successes


def test_one_instruction_more_gives_the_paper_s_value():
    _agrees(experiments(FOLDER)[0])


@pytest.mark.slow
def test_no_robot_gets_there_in_time_even_without_crashes():
    made = measure(experiments(FOLDER)[3], FOLDER, seed=1)
    assert made.high < 0.0107  # the paper's 38 of 2507


def test_a_held_thread_costs_what_the_exact_computation_says():
    _agrees(experiments(FOLDER)[-1])


@pytest.mark.parametrize("row", table_2(FOLDER), ids=lambda row: row.name)
def test_table_2_within_a_quarter(row: LodinRow):
    assert row.splitting is not None
    assert row.truth is not None
    made = measure(row, FOLDER, seed=0)
    assert abs(made.estimate - row.truth) <= 0.25 * row.truth
