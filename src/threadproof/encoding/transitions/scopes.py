"""Which locals a restored stack ends: those allocated since the stack was saved (arrays of variable length)."""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.encoding.errors import CannotEncode
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import ControlFlow, Site, control_flow
from threadproof.ir.expr import Reg
from threadproof.ir.program import Program

UNCLEAR = "a stack that is restored to what may be several places"


class Scopes:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._flows: dict[str, ControlFlow] = {}

    def ended(self, site: Site, instr: ir.StackRestore) -> list[Site]:
        """The allocations of the function that may have been made since the stack was last saved there: they end here.
        One that can also be made before the first save is unclear."""
        flow = self._flow(site.function)
        save, restore = self._save(flow, instr), flow.sites.index(site)
        since = {save} | _reached(flow, flow.after[save], save)
        without = _reached(flow, [0], save)
        found: list[Site] = []
        for number, other in enumerate(flow.instrs):
            between = number in since and (number == save or restore in _reached(flow, [number], save))
            if isinstance(other, ir.Alloc) and other.storage is ir.Storage.STACK and between:
                if number in without:
                    raise CannotEncode(UNCLEAR)
                found.append(flow.sites[number])
        return found

    def meets_itself(self, site: Site) -> bool:
        """Whether one call may allocate there again while the object of the time before lives."""
        flow = self._flow(site.function)
        start = flow.sites.index(site)
        seen, todo = set[int](), list(flow.after[start])
        while todo:
            at = todo.pop()
            if at not in seen and not self._ends(flow, at, site):
                seen.add(at)
                todo.extend(flow.after[at])
        return start in seen

    def _ends(self, flow: ControlFlow, number: int, site: Site) -> bool:
        instr = flow.instrs[number]
        if not isinstance(instr, ir.StackRestore):
            return False
        try:
            return site in self.ended(flow.sites[number], instr)
        except CannotEncode:
            return False

    def _flow(self, function: str) -> ControlFlow:
        found = self._flows.get(function)
        if found is None:
            found = self._flows[function] = control_flow(self._program.functions[function])
        return found

    def _save(self, flow: ControlFlow, instr: ir.StackRestore) -> int:
        address = instr.address
        while isinstance(address, Reg):
            number = _only_definition(flow, address)
            found = None if number is None else flow.instrs[number]
            if number is not None and isinstance(
                found, ir.StackSave | ir.Alloc
            ):  # an allocation: it is the first to end
                return number
            address = found.value if isinstance(found, ir.Assign) else None
        raise CannotEncode(UNCLEAR)


def _only_definition(flow: ControlFlow, register: Reg) -> int | None:
    moved = any(dst == register for instr in flow.instrs for edge in ir.edges(instr) for dst, _ in edge.moves)
    writing = [number for number, instr in enumerate(flow.instrs) if register in ir.defs(instr)]
    return writing[0] if len(writing) == 1 and not moved else None


def _reached(flow: ControlFlow, first: Iterable[int], without: int) -> set[int]:
    """On paths around one instruction."""
    seen, todo = set[int](), list(first)
    while todo:
        at = todo.pop()
        if at not in seen and at != without:
            seen.add(at)
            todo.extend(flow.after[at])
    return seen
