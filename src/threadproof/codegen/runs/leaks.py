"""Lost memory in states of a native machine: the C is `kernel/leaks.h`, compiled once for all programs.

The searches call it by its address; `Leaks.lost_by` asks about one step.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np

from threadproof.codegen.kernel import search_kernel
from threadproof.codegen.machine.blocks import DetailBlock, i32, u32, u64
from threadproof.codegen.machine.capacity import slot_is_number
from threadproof.codegen.machine.operations import HALT_KINDS
from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.native import NativeMachine, thread_type
from threadproof.core.thread_id import ThreadId
from threadproof.ir.instr import HaltKind, Owner
from threadproof.ir.program import Mutability


class Asks(IntEnum):
    """The order of the kernel's `ASK_...`."""

    LOST = 0  # a block that nothing points to, at any time (`semantics.leaks`)
    KEPT = 1  # a block that is not freed where the program ends by itself


class _LayoutBlock(ctypes.Structure):
    _fields_ = (
        *((name, u32) for name in ("asks", "halt_return", "halt_abort", "system")),
        *((name, u32) for name in ("threads", "threads_at", "thread_size", "pointer_bytes", "slot_is_number")),
        *((name, u32) for name in ("arena_shift", "heap_objects", "number_at", "dormant_at")),
        *((name, u32) for name in ("nkeys_at", "specifics_at", "result_at", "rb_at")),
        *((name, u32) for name in ("fn_at", "regs_at", "nstack_at", "stack_at", "sdata_at", "nheap_at", "heap_at")),
        *((name, u32) for name in ("hdata_at", "tls_at", "global_count", "tls_count")),
        *((name, ctypes.c_void_p) for name in ("globals", "tls", "fn_slots")),
        *((name, u64) for name in ("main_arena", "arenas", "end")),
    )


_IN_A_THREAD = (
    *("specifics", "result", "rb", "fn", "regs", "nstack", "stack", "sdata", "nheap", "heap", "hdata", "tls"),
)


class Leaks:
    """Keep it as long as `address` is in use."""

    def __init__(self, machine: NativeMachine, asks: Asks = Asks.LOST) -> None:
        self._machine = machine
        self._kept: list[Any] = []
        self._block: Any = _LayoutBlock()
        self._block.asks, self._block.halt_return = asks, HALT_KINDS.index(HaltKind.RETURN)
        self._block.halt_abort = HALT_KINDS.index(HaltKind.ABORT)
        self._block.system = machine.numbering.names.number(Owner.SYSTEM.value)
        self._lay_out(machine)
        self._lay_out_variables(machine)

    def _lay_out(self, machine: NativeMachine) -> None:
        block, layout, plan = self._block, machine.decoder.block, machine.numbering.layout.plan
        thread = thread_type(layout)
        block.threads, block.threads_at = machine.capacity.threads, layout.t.offset
        block.thread_size, block.heap_objects = ctypes.sizeof(thread), machine.capacity.heap_objects
        block.nkeys_at = layout.nkeys.offset
        for name in _IN_A_THREAD:
            setattr(block, f"{name}_at", getattr(thread, name).offset)
        if machine.variant.dormant:
            block.number_at, block.dormant_at = thread.number.offset, layout.dormant.offset
        block.pointer_bytes = machine.numbering.pointer_bytes
        block.slot_is_number = int(slot_is_number(machine.numbering))
        block.arena_shift = plan.arena_size.bit_length() - 1
        assert plan.arena_size == 1 << block.arena_shift, "arenas are not found by a shift"
        block.main_arena, block.arenas = plan.main_arena, plan.arenas
        block.end = plan.arenas + plan.arena_count * plan.arena_size

    def _lay_out_variables(self, machine: NativeMachine) -> None:
        block, numbering = self._block, machine.numbering
        start = machine.decoder.block.g.offset
        variables = [placed for placed in numbering.globals if placed.variable.mutability is not Mutability.CONSTANT]
        globals_ = [(start + placed.offset, placed.variable.size) for placed in variables]
        tls = [(placed.offset, placed.variable.size) for placed in numbering.tls]
        block.globals, block.global_count = self._keep(globals_ or [(0, 0)]), len(globals_)
        block.tls, block.tls_count = self._keep(tls or [(0, 0)]), len(tls)
        block.fn_slots = self._keep([body.slot_count for body in numbering.bodies.values()])

    def _keep(self, values: Any) -> int:
        array = np.array(values, np.uint32)
        self._kept.append(array)
        return array.ctypes.data

    @property
    def address(self) -> int:
        """Of what `function` is given first."""
        return ctypes.addressof(self._block)

    @property
    def function(self) -> int:
        return ctypes.cast(_library().tl_loses, ctypes.c_void_p).value or 0

    def lost_by(self, state: bytes, thread: ThreadId, choices: tuple[int, ...] = ()) -> bool:
        """Whether memory is lost where this step of a thread leads."""
        detail: Any = DetailBlock()
        made = self._machine.made(state, thread, choices, detail)
        if made is None:
            return False
        room = ctypes.create_string_buffer(self._machine.state_size)
        return bool(_library().tl_loses(self.address, made[1], room, made[0], detail.kind))


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    found = library(search_kernel("threadproof.codegen", "leaks.h"), CompilerEffort.FULL)
    pointer = ctypes.c_void_p
    found.tl_loses.argtypes = (pointer, ctypes.c_char_p, pointer, i32, i32)
    found.tl_loses.restype = i32
    return found
