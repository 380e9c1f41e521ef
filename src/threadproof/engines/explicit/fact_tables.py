"""What `analysis.footprints.futures` says about a program, as the tables `kernel/persistent.h` reads."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from threadproof.analysis.footprints.futures import Bits, Futures, Standing
from threadproof.codegen.machine.blocks import FrameBlock, u32
from threadproof.codegen.machine.capacity import slot_is_number
from threadproof.codegen.runs.native import NativeMachine, thread_type


class _FactsBlock(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("next", "ahead", "leaves", "lock_at", "joins_at", "holder_at")),
        *((name, u32) for name in ("locks", "nframes_at", "frames_at", "frame_size", "frame_pc_at", "rb_at")),
        *((name, u32) for name in ("regs_at", "slot_is_number", "threads", "threads_at", "thread_size", "number_at")),
    )


class _SymmetryBlock(ctypes.Structure):
    _fields_ = (
        ("arena", ctypes.c_void_p),
        ("cursors_at", u32 * 3),
        ("nstack_at", u32),
        ("nheap_at", u32),
    )


class SymmetryTables:
    """Keep it as long as `address` is in use."""

    def __init__(self, machine: NativeMachine) -> None:
        thread, plan = thread_type(machine.decoder.block), machine.numbering.layout.plan
        numbers = [0, *(2 * slot - 1 for slot in range(1, machine.capacity.threads))]
        starts = [plan.arenas + (number - 1) * plan.arena_size if number else plan.main_arena for number in numbers]
        self._arenas = np.array(starts, np.uint64)
        self._block: Any = _SymmetryBlock()
        self._block.arena = self._arenas.ctypes.data
        cursors = (thread.frame_cursor, thread.cursor, thread.heap_cursor)
        self._block.cursors_at = (u32 * 3)(*(field.offset for field in cursors))
        self._block.nstack_at, self._block.nheap_at = thread.nstack.offset, thread.nheap.offset

    @property
    def address(self) -> int:
        return ctypes.addressof(self._block)


class FactTables:
    """Keep it as long as `address` is in use."""

    def __init__(self, machine: NativeMachine, known: Futures) -> None:
        self._kept: list[Any] = []
        self._block: Any = _FactsBlock()
        self._lay_out(machine, known)
        numbering = machine.numbering
        standing = [one for body in numbering.bodies.values() for one in known.standing[body.name]]
        slots = [
            0 if one.joins is None else body.slots[one.joins.name]
            for body in numbering.bodies.values()
            for one in known.standing[body.name]
        ]
        block = self._block
        block.next = self._keep([_row(one.next) for one in standing], np.uint64)
        block.ahead = self._keep([_row(bits) for one in standing for bits in one.ahead], np.uint64)
        block.leaves = self._keep([one.leaves for one in standing], np.uint64)
        block.lock_at = self._keep([_lock(one) for one in standing], np.uint32)
        block.joins_at = self._keep(slots, np.uint32)

    def _lay_out(self, machine: NativeMachine, known: Futures) -> None:
        block, layout = self._block, machine.decoder.block
        thread = thread_type(layout)
        block.nframes_at, block.frames_at = thread.nframes.offset, thread.frames.offset
        block.rb_at, block.regs_at = thread.rb.offset, thread.regs.offset
        block.frame_size, block.frame_pc_at = ctypes.sizeof(FrameBlock), FrameBlock.pc.offset
        block.slot_is_number = int(slot_is_number(machine.numbering))
        block.threads, block.threads_at = machine.capacity.threads, layout.t.offset
        block.thread_size = ctypes.sizeof(thread)
        block.number_at = thread.number.offset if machine.variant.dormant else 0
        placed = machine.numbering.by_name
        holders = [layout.g.offset + placed[lock.name].offset + lock.offset for lock in known.locks]
        block.locks, block.holder_at = len(holders), self._keep(holders or [0], np.uint32)

    def _keep(self, values: Any, kind: Any) -> int:
        array = np.array(values, kind)
        self._kept.append(array)
        return array.ctypes.data

    @property
    def address(self) -> int:
        return ctypes.addressof(self._block)


def _row(bits: Bits) -> tuple[int, int, int]:
    return bits.reads, bits.writes, bits.releases


def _lock(one: Standing) -> int:
    return 0 if one.waits_for is None else 1 + one.waits_for
