"""The partition of memory drawn as SVG: a box per object with its parts, a curve for what pointers in it point to."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.analysis.memory.partition_text import PartitionNode
from threadproof.report.svg import Box, Way, cut, draw_boxes


def draw_partition(nodes: Sequence[PartitionNode]) -> str:
    """Objects that pointers connect form one figure, named after the first of them."""
    figures: list[list[PartitionNode]] = []
    for node in nodes:
        meet = [figure for figure in figures if any(_connected(node, other) for other in figure)]
        figures = [figure for figure in figures if figure not in meet]
        figures.append([*(other for figure in meet for other in figure), node])
    return draw_boxes([(figure[0].name, [_box(node) for node in figure]) for figure in figures])


def _connected(one: PartitionNode, other: PartitionNode) -> bool:
    return other.name in one.targets or one.name in other.targets


def _box(node: PartitionNode) -> Box:
    lines = tuple((cut(line), "shared") for line in node.lines)
    return Box(node.name, "plain", node.kind, lines, tuple(Way(target) for target in node.targets))
