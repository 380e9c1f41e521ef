"""The partition of memory as a graph: an object is a node with its parts, an arrow says what pointers in it point to.

As a listing for reading, as dot text for graphviz; `report` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.partition import MEMORY, Part, Partition, Through
from threadproof.analysis.points_to import PointsTo, Root


@dataclass(frozen=True, slots=True)
class Node:
    """An object, or a summary of several."""

    name: str
    kind: str
    lines: tuple[str, ...]
    targets: tuple[str, ...]  # names of the objects that pointers in it may point to


def nodes(partition: Partition, points_to: PointsTo, functions: tuple[str, ...] = ()) -> list[Node]:
    """Those that are accessed in one of the functions (none named: in any)."""
    chosen: dict[Root, None] = {}
    for site, found in partition.accesses.items():
        if not functions or site.function in functions:
            chosen.update((place.root, None) for access in found for place in access.places)
    names = _names(list(chosen))
    return [
        Node(
            names[root],
            f"{root.kind.value}, {partition.instances(root).value}",
            tuple(_line(partition, part) for part in partition.parts if part.root == root),
            tuple(dict.fromkeys(names[to] for to in _content(points_to, root) if to in names)),
        )
        for root in chosen
    ]


def listing(shown: list[Node]) -> str:
    lines: list[str] = []
    for node in shown:
        lines.append(f"{node.name} ({node.kind})")
        lines += [f"  {line}" for line in node.lines]
        lines += [f"  -> {target}" for target in node.targets]
    return "".join(f"{line}\n" for line in lines)


def to_dot(shown: list[Node]) -> str:
    lines = ["digraph memory {", "  node [shape=box, fontname=monospace, fontsize=11];"]
    for node in shown:
        text = "".join(f"{_quoted(line)}\\l" for line in (f"{node.name} ({node.kind})", *node.lines))
        lines.append(f'  "{_quoted(node.name)}" [label="{text}"];')
        lines += [f'  "{_quoted(node.name)}" -> "{_quoted(target)}";' for target in node.targets]
    return "\n".join([*lines, "}"]) + "\n"


def _content(points_to: PointsTo, root: Root) -> list[Root]:
    places = sorted(points_to.content(root), key=str)
    return [place.root for place in places if place.root.kind in MEMORY]


def _line(partition: Partition, part: Part) -> str:
    """What the part is, and which functions use it in which way."""
    ways: dict[str, dict[str, None]] = {}
    for site, found in partition.accesses.items():
        for access in found:
            if part in partition.parts_of(access):
                by = "written" if access.writes else "read"
                way = "used" if access.through is Through.SYNC else by
                ways.setdefault(way, {})[site.function] = None
    users = "; ".join(f"{way} by {', '.join(names)}" for way, names in ways.items())
    every = f", every {part.at.stride}" if part.at.stride else ""
    first = "" if part.written else "read-only "
    return f"at {part.at.start}{every}: {first}{part.shape.value} of {part.size} bytes, {users}"


def _names(roots: list[Root]) -> dict[Root, str]:
    """Locals and blocks with the place of their allocation where a name is not enough."""
    found: dict[Root, str] = {}
    for root in roots:
        same = [other for other in roots if other.name == root.name]
        where = "" if root.site is None else f" of {root.site.function}"
        name = root.name if len(same) == 1 else f"{root.name}{where}"
        found[root] = name if name not in found.values() else f"{name} ({root.site})"
    return found


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
