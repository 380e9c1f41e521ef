"""The partition of memory as a graph: an object is a node with its parts, an arrow says what pointers in it point to.

As a listing for reading, as dot text for graphviz; `report` draws it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from threadproof.analysis.memory.partition import MEMORY, MemoryAccess, Part, Partition, Through
from threadproof.analysis.points_to import Place, PointsTo, Root, may_meet


@dataclass(frozen=True, slots=True)
class PartitionNode:
    """An object, or a summary of several."""

    name: str
    kind: str
    lines: tuple[str, ...]
    targets: tuple[str, ...]  # names of the objects that pointers in it may point to


def nodes(partition: Partition, points_to: PointsTo, functions: tuple[str, ...] = ()) -> list[PartitionNode]:
    """Those that are accessed in one of the functions (none named: in any)."""
    accesses: dict[Root, dict[MemoryAccess, None]] = {}
    for found in partition.accesses.values():
        for access in found:
            for root, _ in access.places:
                accesses.setdefault(root, {})[access] = None
    chosen = [
        root for root, found in accesses.items() if not functions or any(a.site.function in functions for a in found)
    ]
    parts: dict[Root, list[Part]] = {}
    for part in partition.parts:
        parts.setdefault(part.root, []).append(part)
    names = _names(chosen)
    return [
        PartitionNode(
            names[root],
            f"{root.kind.value}, {partition.instances(root).value}",
            tuple(_line(part, accesses[root]) for part in parts.get(root, ())),
            tuple(dict.fromkeys(names[to] for to in _content(points_to, root) if to in names)),
        )
        for root in chosen
    ]


def listing(shown: list[PartitionNode]) -> str:
    lines: list[str] = []
    for node in shown:
        lines.append(f"{node.name} ({node.kind})")
        lines += [f"  {line}" for line in node.lines]
        lines += [f"  -> {target}" for target in node.targets]
    return "".join(f"{line}\n" for line in lines)


def to_dot(shown: list[PartitionNode]) -> str:
    lines = ["digraph memory {", "  node [shape=box, fontname=monospace, fontsize=11];"]
    for node in shown:
        text = "".join(f"{_quoted(line)}\\l" for line in (f"{node.name} ({node.kind})", *node.lines))
        lines.append(f'  "{_quoted(node.name)}" [label="{text}"];')
        lines += [f'  "{_quoted(node.name)}" -> "{_quoted(target)}";' for target in node.targets]
    return "\n".join([*lines, "}"]) + "\n"


def _content(points_to: PointsTo, root: Root) -> list[Root]:
    places = sorted(points_to.content(root), key=str)
    return [place.root for place in places if place.root.kind in MEMORY]


def _line(part: Part, accesses: Iterable[MemoryAccess]) -> str:
    """What the part is, and which functions use it in which way."""
    ways: dict[str, dict[str, None]] = {}
    for access in accesses:
        if may_meet(access.places, access.size, (Place(part.root, part.at),), part.size):
            by = "written" if access.writes else "read"
            ways.setdefault("used" if access.through is Through.SYNC else by, {})[access.site.function] = None
    users = "; ".join(f"{way} by {', '.join(names)}" for way, names in ways.items())
    every = f", every {part.at.stride}" if part.at.stride else ""
    first = "" if part.written else "read-only "
    return f"at {part.at.start}{every}: {first}{part.shape.value} of {part.size} bytes, {users}"


def _names(roots: list[Root]) -> dict[Root, str]:
    """Locals and blocks with the place of their allocation where a name is not enough."""
    found: dict[Root, str] = {}
    count = Counter(root.name for root in roots)
    for root in roots:
        where = "" if root.site is None else f" of {root.site.function}"
        name = root.name if count[root.name] == 1 else f"{root.name}{where}"
        if name in found.values() and root.site is not None:
            name = f"{name} ({root.site.block}, {root.site.number})"
        found[root] = name
    return found


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
