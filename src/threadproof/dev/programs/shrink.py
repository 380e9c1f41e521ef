"""Makes a C program smaller while it still shows what it shows: statements, blocks, functions go, line by line.

Paper: A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, TSE 2002 (ddmin); G. Misherghi,
Z. Su, HDD: hierarchical delta debugging, ICSE 2006. Differs: the tree is made of lines and braces, not of a grammar:
a line that ends in `{` opens a block, one that begins with `}` closes it. A block can also be replaced by what it
contains. Programs that no longer compile are the predicate's business: it answers False for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

StillFails = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """`parts` are (opening line, content): one for most blocks, two for if and else."""

    parts: tuple[tuple[str, tuple[Node, ...]], ...]
    closing: str


Node = str | SourceBlock
Nodes = tuple[Node, ...]


def shrink(source: str, still_fails: StillFails) -> str:
    """A program none of whose lines or blocks can be left out alone. `still_fails(source)` must hold."""
    seen: dict[str, bool] = {}

    def fails(nodes: Nodes) -> bool:
        text = _text(nodes)
        if text not in seen:
            seen[text] = still_fails(text)
        return seen[text]

    nodes, before = parse(source), None
    while nodes != before:
        before = nodes
        nodes = _smaller(nodes, fails)
    return _text(nodes)


def parse(source: str) -> Nodes:
    return _nodes(iter(line for line in source.splitlines() if line.strip()))[0]


def _nodes(lines: Iterator[str]) -> tuple[Nodes, str]:
    """The nodes up to the line that closes the surrounding block, and that line."""
    nodes: list[Node] = []
    for line in lines:
        if line.lstrip().startswith("}"):
            return tuple(nodes), line
        nodes.append(_block(line, lines) if _opens(line) else line)
    return tuple(nodes), "}"


def _opens(line: str) -> bool:
    return line.rstrip().endswith("{")


def _block(opening: str, lines: Iterator[str]) -> SourceBlock:
    parts: list[tuple[str, Nodes]] = []
    while True:
        content, closing = _nodes(lines)
        parts.append((opening, content))
        if not _opens(closing):
            return SourceBlock(tuple(parts), closing)
        opening = closing


def _text(nodes: Nodes) -> str:
    return "".join(f"{line}\n" for line in _lines(nodes))


def _lines(nodes: Nodes) -> list[str]:
    found: list[str] = []
    for node in nodes:
        if isinstance(node, str):
            found.append(node)
            continue
        for opening, content in node.parts:
            found += [opening, *_lines(content)]
        found.append(node.closing)
    return found


def _smaller(nodes: Nodes, fails: Callable[[Nodes], bool]) -> Nodes:
    """One round: leave out what can be left out on this level, then the same inside every block."""
    nodes = _ddmin(nodes, fails)
    index = 0
    while index < len(nodes):
        node = nodes[index]
        if isinstance(node, SourceBlock):
            before, after = nodes[:index], nodes[index + 1 :]
            nodes = (*before, *_replaced(node, lambda new, b=before, a=after: fails((*b, *new, *a))), *after)
        index += 1
    return nodes


def _replaced(block: SourceBlock, fails: Callable[[Nodes], bool]) -> Nodes:
    """What can stand in the place of a block: its content, or the block with less in it."""
    for content in _contents(block):
        if fails(content):
            return content
    for position in range(len(block.parts)):
        block = _with_less(block, position, fails)
    return (block,)


def _with_less(block: SourceBlock, position: int, fails: Callable[[Nodes], bool]) -> SourceBlock:
    def rebuilt(content: Nodes) -> SourceBlock:
        opening = block.parts[position][0]
        return replace(block, parts=(*block.parts[:position], (opening, content), *block.parts[position + 1 :]))

    return rebuilt(_smaller(block.parts[position][1], lambda content: fails((rebuilt(content),))))


def _contents(block: SourceBlock) -> list[Nodes]:
    alone = [content for _, content in block.parts]
    return [*alone, (replace(block, parts=block.parts[:1]),)] if len(block.parts) > 1 else alone


def _ddmin(nodes: Nodes, fails: Callable[[Nodes], bool]) -> Nodes:
    """Zeller's algorithm, complements only: a subset alone never compiles."""
    size = max(1, len(nodes) // 2)
    while size:
        start = 0
        while start < len(nodes):
            without = (*nodes[:start], *nodes[start + size :])
            if fails(without):
                nodes = without
            else:
                start += size
        size //= 2
    return nodes
