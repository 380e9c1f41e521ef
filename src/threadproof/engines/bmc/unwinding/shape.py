"""Where the blocks of a function stand in an unwinding: an order in which every predecessor comes first.

A block's place in the nest of loops (`control.loops`) is a path of positions, one per loop around it and one for
itself; in an unwinding the iteration numbers come between them, and comparing such keys from the left gives the order.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.control.loops import loop_nest
from threadproof.ir.instr import Error, Halt, Undefined
from threadproof.ir.liveness import Live, live_before
from threadproof.ir.program import Block, Function

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A block in an unwinding: which iteration of each loop around it."""

    label: str
    iterations: tuple[int, ...]


class UnwindingShape:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks: dict[str, Block] = {block.label: block for block in function.blocks}
        self.live: dict[str, Live] = {label: points[0] for label, points in live_before(function).items()}
        nest = loop_nest(function)
        self.irreducible = any(len(loop.entered) != 1 for loop in nest.loops)
        self.heads = nest.heads
        self._places = nest.blocks

    def key(self, position: Position) -> Key:
        place = self._places[position.label]
        parts: list[int] = []
        for index, own in enumerate(place.positions):
            parts.append(own)
            if index < len(position.iterations):
                parts.append(position.iterations[index])
        return tuple(parts)

    def start(self) -> Position:
        label = self.function.blocks[0].label
        return Position(label, (0,) * len(self._places[label].loops))

    def follow(self, source: Position, target: str) -> tuple[Position, str | None]:
        """Where an edge leads, and the header if it leads back to one."""
        outer, inner = self._places[source.label].loops, self._places[target].loops
        common = 0
        for a, b in zip(outer, inner, strict=False):
            if a != b:
                break
            common += 1
        kept = source.iterations[:common]
        if common and inner[common - 1] == target and len(inner) == common:
            return Position(target, (*kept[:-1], kept[-1] + 1)), target
        return Position(target, (*kept, *(0,) * (len(inner) - common))), None

    def ends(self, target: str) -> bool:
        """Whether the block ends the program."""
        return isinstance(self.blocks[target].instrs[-1], Error | Halt | Undefined)

    def left(self, source: Position, target: str | None) -> list[Position]:
        """The headers, in their present iteration, of the loops that an edge leaves (None: all of them)."""
        outer = self._places[source.label].loops
        inner = () if target is None else self._places[target].loops
        return [
            Position(header, source.iterations[: index + 1])
            for index, header in enumerate(outer)
            if index >= len(inner) or inner[index] != header
        ]
