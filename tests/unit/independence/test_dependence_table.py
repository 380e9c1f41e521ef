"""The table of `show --stage dependence`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from two_threads import TwoThreads

from threadproof.independence.dependence_table import DependenceTable, dependence_table, instances, open_swaps
from threadproof.independence.dependence_text import listing, to_dot
from threadproof.report.dependence_svg import draw_dependence

BODY = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); int k = %s; a[k] = %s;"

LOOP = "for (int k = 0; k < x; k++) pthread_create(&t, 0, two, 0);"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> DependenceTable:
    declared = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, i, j, a[4];"
    path = tmp_path_factory.mktemp("table") / "main.c"
    one = TwoThreads(
        path, declared, BODY % ("i", 1), BODY % ("j", 2), before="i = 1; j = 2;", after="pthread_join(s, 0);"
    )
    return dependence_table(open_swaps(one.program, one.automaton))


@pytest.mark.parametrize(
    "line",
    [
        "writes x | 8: writes x: swap (locks)",
        "writes a[] | 8: writes a[]: swap if ",
        "creates a thread of two, reads s | 8: locks m, 8: writes x,",
        "unlocks m | 8: locks m: do not swap",
        "joins a thread | 7: ends: the second may go first (semi-commutative)",
        "decided by: syntactic",
    ],
)
def test_listing(table: DependenceTable, line: str) -> None:
    assert line in " ".join(listing(table).split())


def test_drawings_have_what_does_not_always_swap(table: DependenceTable) -> None:
    dot = to_dot(table)
    assert "style=dashed" in dot
    assert "dir=back" in dot
    assert ET.fromstring(draw_dependence(table)).tag.endswith("svg")


def test_two_instances_only_where_there_may_be_two(tmp_path: Path) -> None:
    once = TwoThreads(tmp_path / "a.c", "int x;", "x = 1;", "x = 2;")
    assert instances(once.automaton) == {"main": 1, "one": 1, "two": 1}
    again = TwoThreads(tmp_path / "b.c", "int x;", "x = 1;", "x = 2;", after=LOOP)
    assert instances(again.automaton) == {"main": 1, "one": 1, "two": 2}
