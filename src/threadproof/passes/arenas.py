"""Gives threads small arenas where none of them can need more: a program may then have 30,000 threads also where
pointers have 32 bits.

What a thread needs is what the longest way down its calls puts on the stack, and all that it takes from the heap, with
the red zones between objects. Nothing is known of recursion, of arrays whose size is not constant, and of loops that
allocate: such programs keep the large arenas. A local that is pointed to after its end keeps its address; a loop that
makes many of these may find a small arena full, which is `unknown`, as everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from threadproof.analysis.control.call_graph import address_taken, callable_by_pointer
from threadproof.analysis.control.creations import creates_in_loops
from threadproof.analysis.control.loops import cycles
from threadproof.ir.expr import Const
from threadproof.ir.instr import Alloc, Call, Storage
from threadproof.ir.layout import Arenas, align_up, plan_of
from threadproof.ir.program import Lifetime, Program


def make_room_for_threads(program: Program) -> Program:
    if program.data_model.pointer_bits != 32 or not creates_in_loops(program):
        return program
    needs = _Needs(program)
    plan = plan_of(32, Arenas.SMALL)
    tls = sum(needs.room(g.size, g.align) for g in program.globals.values() if g.lifetime is Lifetime.THREAD)
    stack, heap = plan.arena_stack - tls - 4 * plan.red_zone, plan.arena_size - plan.arena_stack - plan.red_zone
    for name in sorted(needs.taken - {program.entry}):
        need = needs.of(name)
        if need is None or need.stack > stack or need.heap > heap:
            return program
    return replace(program, arenas=Arenas.SMALL)


@dataclass(frozen=True, slots=True)
class _Need:
    """Bytes, at most."""

    stack: int
    heap: int


class _Needs:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._red_zone = plan_of(32, Arenas.SMALL).red_zone
        self._found: dict[str, _Need | None] = {}
        self.taken = address_taken(program)
        self._called = callable_by_pointer(program)

    def room(self, size: int, align: int) -> int:
        return align_up(max(size, 1), 16) + align_up(align, 16) + self._red_zone

    def of(self, name: str) -> _Need | None:
        """None: nobody knows."""
        if name not in self._found:
            self._found[name] = None  # for those that call it again: recursion
            self._found[name] = self._of(name)
        return self._found[name]

    def _of(self, name: str) -> _Need | None:
        function = self._program.functions.get(name)
        if function is None:
            return _Need(0, 0)
        looping = cycles(function)
        own, below, heap = 0, 0, 0
        for block in function.blocks:
            for instr in block.instrs:
                need = self._of_alloc(instr) if isinstance(instr, Alloc) else _Need(0, 0)
                if isinstance(instr, Call):
                    need = self._of_call(instr)
                if need is None or (need.heap and block.label in looping):
                    return None
                own += need.stack if isinstance(instr, Alloc) else 0
                below = max(below, 0 if isinstance(instr, Alloc) else need.stack)
                heap += need.heap
        return _Need(own + below, heap)

    def _of_alloc(self, alloc: Alloc) -> _Need | None:
        if not isinstance(alloc.size, Const):
            return None
        bytes_ = self.room(alloc.size.value, alloc.align)
        return _Need(bytes_, 0) if alloc.storage is Storage.STACK else _Need(0, bytes_)

    def _of_call(self, call: Call) -> _Need | None:
        stack, heap = 0, 0
        for callee in {call.callee} if isinstance(call.callee, str) else sorted(self._called):
            need = self.of(callee)
            if need is None:
                return None
            stack, heap = max(stack, need.stack), max(heap, need.heap)
        return _Need(stack, heap)
