"""Threads that exist and never run, told to a search that drives a machine from outside: `Crowd` of kernel/crowd.h."""

from __future__ import annotations

import ctypes
from typing import Any

from threadproof.codegen.machine.blocks import u32
from threadproof.codegen.machine.machine_text import new_thread
from threadproof.codegen.runs.native import NativeMachine, thread_type


class CrowdBlock(ctypes.Structure):
    _fields_ = (
        ("does_at", ctypes.c_void_p),
        *((name, u32) for name in ("awake", "site_at", "newest_at", "dormant_at")),
    )


def describe_crowd(machine: NativeMachine, block: CrowdBlock) -> Any:
    """To be kept as long as the block is in use. Of a machine without dormant threads, it stays empty."""
    if not machine.variant.dormant:
        return None
    instrs = [instr for body in machine.numbering.bodies.values() for instr in body.instrs]
    does = ctypes.create_string_buffer(bytes(map(new_thread, instrs)), len(instrs) + 1)
    thread = thread_type(machine.decoder.block)
    block.does_at, block.awake = ctypes.addressof(does), machine.variant.dormant
    block.site_at, block.newest_at = thread.site.offset, thread.newest.offset
    block.dormant_at = machine.decoder.block.dormant.offset
    return does
