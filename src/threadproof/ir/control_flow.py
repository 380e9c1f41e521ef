"""The control flow of one function: its instructions in one list, and which can follow which.

Their numbers are the program counters of the reference machine. Everybody who asks where control goes inside a
function asks here; how threads run through functions is the business of `automaton`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from threadproof.core.graph import reached
from threadproof.ir.instr import Instr, edges
from threadproof.ir.program import Function


class Site(NamedTuple):
    """An instruction, by its place in the program."""

    function: str
    block: str
    number: int  # of the instruction in its block


@dataclass(frozen=True, slots=True)
class ControlFlow:
    sites: tuple[Site, ...]
    instrs: tuple[Instr, ...]
    starts: dict[str, int]  # the first instruction of each block
    after: tuple[tuple[int, ...], ...]  # the instructions that can follow, without calls and returns

    def number(self, site: Site) -> int:
        return self.starts[site.block] + site.number

    def reachable(self, start: int) -> Iterable[int]:
        """All instructions that can still run in a call that stands before `start`, that one included."""
        return reached([start], lambda at: self.after[at])


def sites(function: Function) -> Iterator[tuple[Site, Instr]]:
    """Its instructions with their places, in the order of the program counters."""
    for block in function.blocks:
        for number, instr in enumerate(block.instrs):
            yield Site(function.name, block.label, number), instr


def control_flow(function: Function) -> ControlFlow:
    found = tuple(sites(function))
    starts = {site.block: at for at, (site, _) in enumerate(found) if site.number == 0}
    after: list[tuple[int, ...]] = []
    for block in function.blocks:
        first, last = starts[block.label], len(block.instrs) - 1
        after.extend((first + number + 1,) for number in range(last))
        after.append(tuple(starts[edge.target] for edge in edges(block.instrs[last])))
    return ControlFlow(tuple(site for site, _ in found), tuple(instr for _, instr in found), starts, tuple(after))
