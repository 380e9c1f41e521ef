"""Reachability and strongly connected components, against their definitions on random graphs."""

from __future__ import annotations

from random import Random

import pytest

from threadproof.core.graph import components, reached


def some_graph(seed: int) -> dict[int, list[int]]:
    chance = Random(seed)
    nodes = range(chance.randrange(1, 12))
    return {node: [other for other in nodes if chance.random() < 0.15] for node in nodes}


@pytest.mark.parametrize("seed", range(60))
def test_components_are_classes_of_mutual_reachability(seed: int) -> None:
    graph = some_graph(seed)
    reach = {node: set(reached([node], graph.__getitem__)) for node in graph}
    expected = {frozenset(m for m in reach[n] if n in reach[m]) for n in graph}
    found = components(graph)
    assert {frozenset(component) for component in found} == expected
    assert sum(map(len, found)) == len(graph)


@pytest.mark.parametrize("seed", range(60))
def test_a_component_comes_after_those_it_leads_to(seed: int) -> None:
    graph = some_graph(seed)
    place = {node: number for number, component in enumerate(components(graph)) for node in component}
    assert all(place[target] <= place[node] for node, targets in graph.items() for target in targets)


def test_reached_is_closed_and_in_the_order_met() -> None:
    graph = {"a": ["b", "c"], "b": ["d"], "c": [], "d": ["a"], "e": ["a"]}
    assert list(reached(["a"], graph.__getitem__)) == ["a", "c", "b", "d"]


def test_long_chains_need_no_recursion() -> None:
    graph = {node: [node + 1] if node < 50_000 else [0] for node in range(50_001)}
    assert len(components(graph)) == 1
    assert len(reached([0], graph.__getitem__)) == 50_001
