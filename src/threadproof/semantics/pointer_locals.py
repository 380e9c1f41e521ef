"""Local pointer variables that only their function knows: their address is used for loads and stores of all of them."""

from __future__ import annotations

from threadproof.core.graph import reached
from threadproof.ir.expr import Const, Expr, Reg, registers
from threadproof.ir.instr import Alloc, Instr, Load, StackRestore, Storage, Store, all_uses, defs, edges
from threadproof.ir.program import Function


class PointerLocals:
    """Locals go by the register that has their address, which nothing else writes."""

    def __init__(self, function: Function, pointer_bytes: int) -> None:
        self._size = pointer_bytes
        self._begins = {function.blocks[0].label} & blocks_made_once(function)
        self._made: dict[str, tuple[str, int]] = {}  # block and number of its allocation
        instrs = [(block.label, number, one) for block in function.blocks for number, one in enumerate(block.instrs)]
        for label, number, instr in instrs:
            if isinstance(instr, Alloc) and instr.storage is Storage.STACK:
                self._made[instr.dst.name] = (label, number)
        self._known = {
            instr.dst.name
            for _, _, instr in instrs
            if isinstance(instr, Alloc)
            and instr.storage is Storage.STACK
            and isinstance(instr.size, Const)
            and instr.size.value == pointer_bytes
        }
        written: set[str] = set()
        for _, _, instr in instrs:
            for one in defs(instr):
                if one.name in written:
                    self._known.discard(one.name)
                written.add(one.name)
            self._known -= set(self._other_uses(instr))

    def _other_uses(self, instr: Instr) -> list[str]:
        exprs = list(all_uses(instr))
        if isinstance(instr, Load | Store) and instr.size == self._size and isinstance(instr.address, Reg):
            exprs.remove(instr.address)
        if isinstance(instr, StackRestore) and isinstance(instr.address, Reg):
            exprs.remove(instr.address)
        return [name for expr in exprs for name in registers(expr)]

    def named(self, address: Expr) -> str | None:
        """The local at this address."""
        return address.name if isinstance(address, Reg) and address.name in self._known else None

    def outlives(self, local: str, restored: Expr) -> bool:
        """Whether it is still there when the stack ends before what `restored` points to: it was allocated before."""
        if not isinstance(restored, Reg) or restored.name not in self._made:
            return False
        (block, number), (other_block, other_number) = self._made[local], self._made[restored.name]
        if block == other_block:
            return number < other_number
        return block in self._begins


def blocks_made_once(function: Function) -> frozenset[str]:
    """Those on no cycle: of each call, they are executed at most once."""
    following = {one.label: [edge.target for edge in edges(one.instrs[-1])] for one in function.blocks}
    return frozenset(one for one, after in following.items() if one not in reached(after, following.__getitem__))
