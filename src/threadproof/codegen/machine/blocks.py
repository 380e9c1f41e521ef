"""The state block of a machine as `ctypes` structures: the same fields as `kernel/state.h`, in the same order."""

from __future__ import annotations

import ctypes
from typing import Any

from threadproof.codegen.machine.capacity import Capacity
from threadproof.codegen.machine.numbering import Numbering

u8, u32, i32, u64, i64 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_int32, ctypes.c_uint64, ctypes.c_int64


class ObjBlock(ctypes.Structure):
    _fields_ = (("start", u64), ("size", u32), ("off", u32), ("name", i32), ("flags", u32))


class FrameBlock(ctypes.Structure):
    _fields_ = (
        ("cursor", u64),
        ("pc", u32),
        ("rb", u32),
        ("mark", u32),
        ("base", u32),
        ("fn", u32),
        ("handler", u32),
    )


class DetailBlock(ctypes.Structure):
    """What ended a single step."""

    _fields_ = (
        ("kind", i32),
        ("name", i32),
        ("text", i32),
        ("resource", i32),
        ("number", u64),
        ("low", u64),
        ("high", u64),
        ("is_signed", i32),
        ("bits", i32),
        ("source", i32),
        ("source_name", i32),
        ("pc", u32),
        ("chosen", u32),
        ("touches", ctypes.c_void_p),
        ("touch_room", u32),
        ("touched", u32),
    )


class TouchBlock(ctypes.Structure):
    _fields_ = (("address", u64), ("size", u32), ("mode", u32))


def state_block(numbering: Numbering, capacity: Capacity, dormant: int = 0) -> type[ctypes.Structure]:
    global_bytes, tls_bytes = max(8, numbering.global_bytes), max(8, numbering.tls_bytes)
    masks: list[Any] = [("tls_mask", u8 * tls_bytes)] if numbering.masked else []

    of_thread: tuple[str, ...] = ("number", "site", "start", "newest") if dormant else ()
    of_state: tuple[str, ...] = ("dormant", "unused") if dormant else ()

    class ThreadBlock(ctypes.Structure):
        _fields_ = (
            *((name, u8) for name in ("phase", "pending", "waiting", "cancelled", "cancel_disabled", "detached")),
            ("zero", u8 * 2),
            *((name, u32) for name in ("pc", "rb", "base", "fn", "mark", "nframes", "depth", "children")),
            *((name, u32) for name in ("nstack", "nheap", "sbytes", "hbytes", "round", "next_key")),
            *((name, u32) for name in of_thread),
            *((name, u64) for name in ("frame_cursor", "cursor", "heap_cursor", "result", "condition")),
            ("specifics", u64 * (capacity.keys + 1)),
            ("regs", u64 * capacity.registers),
            ("sdata", u8 * capacity.stack_bytes),
            ("smask", u8 * capacity.stack_bytes),
            ("tls", u8 * tls_bytes),
            *masks,
            ("hdata", u8 * capacity.heap_bytes),
            ("hmask", u8 * capacity.heap_bytes),
            ("frames", FrameBlock * capacity.frames),
            ("stack", ObjBlock * capacity.stack_objects),
            ("heap", ObjBlock * capacity.heap_objects),
        )

    words = () if numbering.environment is None else numbering.environment.names()
    environment: list[Any] = [("env", i64 * len(words))] if words else []
    global_masks: list[Any] = [("gmask", u8 * global_bytes)] if numbering.masked else []

    class StateBlock(ctypes.Structure):
        _fields_ = (
            ("atomic", u32),
            ("nkeys", u32),
            *((name, u32) for name in of_state),
            *environment,
            ("keys", u64 * (capacity.keys + 1)),
            ("g", u8 * global_bytes),
            *global_masks,
            ("t", ThreadBlock * capacity.threads),
        )

    return StateBlock
